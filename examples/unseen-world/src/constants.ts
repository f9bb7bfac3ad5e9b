/** Version of the tasks: raised with every change of one, for figures of two versions are not comparable. */
export const SHEETS_VERSION = '1'

/** An inclusive range of integers. */
export type Range = readonly [least: number, most: number]

/** Everything that shapes the tasks. */
export const SHEETS = {
  stepLimit: 100,
  small: {
    towers: [4, 6] as Range,
    others: [3, 5] as Range,
    /** Withdrawn sheets that lie between the first word of a tower and the sheet in force. */
    withdrawn: [1, 2] as Range,
    /** Characters of one sheet, about: four a token. */
    chars: [2_400, 4_000] as Range,
  },
  large: {
    towers: [9, 13] as Range,
    others: [6, 9] as Range,
    withdrawn: [1, 3] as Range,
    chars: [4_400, 6_800] as Range,
  },
  /** Towers that are asked for and covered by one sheet in force. */
  site: [1, 3] as Range,
  numbers: [112, 987] as Range,
  metres: [61, 412] as Range,
  years: [1904, 1989] as Range,
  smallNumbers: [2, 38] as Range,
  /** Simulated time of a search, and of opening a file, in ms: drawn for each task. */
  searchMs: [2_000, 5_000] as Range,
  openMs: [800, 2_500] as Range,
  /** Simulated time of any other tool in ms. */
  otherMs: 60,
  towersPerPage: 5,
  /** Characters between the first mention of a tower in a paragraph and what the paragraph tells of it, at least. */
  leadChars: 240,
  paragraphChars: 780,
} as const

/** Names of towers: none is part of another, or of a word of the sheets. */
export const TOWERS = [
  'Aldrum',
  'Belhaven',
  'Corrick',
  'Dovrin',
  'Elsmoor',
  'Fintra',
  'Galtby',
  'Hexley',
  'Inverul',
  'Jostad',
  'Kilbreck',
  'Lanmark',
  'Morvik',
  'Nesgard',
  'Orlend',
  'Penvose',
  'Rathmol',
  'Skarven',
  'Tolvik',
  'Ulsfar',
  'Varnby',
  'Wendrup',
  'Yelland',
  'Zennick',
] as const

/** What surveyors note beside what is asked for. */
export const REMARKS = [
  'The round was begun at first light and broken off at noon, when the haze over the flats made the far marks swim.',
  'Of {small} bolts set in {year} along the sea wall all but two were found again; the two lie under the new road.',
  'The base of {number} m was taped twice, the second time with a tape that had been compared with the office standard.',
  'Closing error of the ring {small} mm, which is inside what the order of {year} allows for work of this class.',
  'The glass stood at {number} at the start and had fallen a little by the time the instrument was packed away.',
  'Levels were carried from the mark at the harbour office over {small} stations, none of them longer than {number} m.',
  'The keeper lent a ladder of {small} rungs, and asked that the gate be shut against the sheep.',
  'A boundary stone shown on the plan of {year} is gone; the farmer believes that it went into the pier.',
  'Refraction was taken from the tables of {year}, and not observed, as the second observer was ill.',
  'The old staff, {number} divisions long, was given up after this season, for its foot was worn on one side.',
  'Photographs {small} to {number} of the roll belong here; the plates are with the district, and one of them is cracked.',
  'From here the lightship bears a little south of west, and the chimney of the cannery is in one line with the church.',
  'Wind from the north-east, force {small} by the mate of the tender, so that the plumb line had to hang in oil.',
  'A sketch of the yard is overleaf; the well, {number} m to the east, was filled in after the flood of {year}.',
  'Computed in duplicate and compared line by line; the two clerks differed in {small} places, all of them slips.',
  'The heliograph was answered on the third evening only, from a hill {number} m higher than the map of {year} has it.',
] as const

/** What is said first of a tower on a sheet that was withdrawn: it sounds like an answer, and is none. */
export const OUTDATED = [
  '{tower} was then put at {metres} m, from a foot that has been under sand since {year}.',
  'For {tower} the party of {year} had worked out {metres} m, with a mast that was taken down soon after.',
  'In the list of {year} {tower} stands with {metres} m, a figure that nobody has been able to derive again.',
] as const

/** What is said first of a tower on a sheet in force. */
export const INTRODUCED = [
  '{tower} was sighted from {small} stations, and its lantern from all but one of them.',
  'The foot of {tower} was cleared of rubble before anything was measured, which took {small} men a day.',
  '{tower} has been repaired since {year}, and what follows is of the new wall.',
] as const

/** Lines of the register beside the one that names a sheet. */
export const REGISTERED = [
  '{tower} has stood in the register since {year}.',
  'The papers of {tower} are kept in box {small} of the district office.',
  'Masters of vessels have asked about {tower} {small} times since {year}.',
  '{tower} is shown on plate {number} by a black triangle.',
] as const
