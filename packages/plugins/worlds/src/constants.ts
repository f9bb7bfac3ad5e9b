/**
 * Everything that shapes the tasks of the worlds, in one place.
 *
 * A change here changes every published figure: raise `WORLDS_VERSION` with it, and rerun every published table.
 */

/** Version of the worlds. Tasks of different versions must not be compared. */
export const WORLDS_VERSION = '1'

/** Simulated time of one call of a workspace tool or a distractor, in ms. */
export const FILE_LATENCY_MS = 60

/** Tools that no task needs, on offer by default, and the most there can be. */
export const DISTRACTORS = { usual: 4, most: 64 } as const

/** An inclusive range of integers. */
export type Range = readonly [least: number, most: number]

export const QUOTES = {
  stepLimit: 25,
  approved: 2,
  small: { lists: [2, 2] as Range, items: 30, lines: [5, 6] as Range },
  large: { lists: [6, 8] as Range, items: 110, lines: [8, 10] as Range },
  pieces: [2, 60] as Range,
  /** Cents for one piece. */
  price: [80, 2400] as Range,
  /** How far the price of one supplier lies from the usual one, in per cent. */
  spread: [-18, 18] as Range,
  suppliers: [
    'Halden',
    'Borm',
    'Cersk',
    'Dravec',
    'Elmau',
    'Fennik',
    'Gorsk',
    'Hyvin',
    'Istra',
    'Jolund',
    'Kessel',
    'Lorvik',
    'Marnau',
    'Nordal',
    'Ostrek',
    'Pavlin',
  ],
  materials: [
    'brass',
    'copper',
    'steel',
    'nylon',
    'rubber',
    'zinc',
    'bronze',
    'ceramic',
    'carbon',
    'titanium',
    'acrylic',
  ],
  parts: ['elbow', 'tee', 'washer', 'flange', 'gasket', 'bracket', 'bushing', 'clamp', 'coupling', 'spacer', 'rivet'],
} as const

export const LONG_LOG = {
  stepLimit: 110,
  /** Characters of one part: four a token. */
  partChars: 11_600,
  /** `draws`: the least of so many draws is the number of parts, so that small logs lean to few. */
  small: { parts: [2, 4] as Range, draws: 2, incidents: [4, 6] as Range },
  large: { parts: [56, 72] as Range, draws: 1, incidents: [9, 14] as Range },
  minutes: [4, 95] as Range,
  machines: ['pump', 'boiler', 'press', 'mixer', 'kiln', 'lathe', 'dryer', 'crane'],
  halls: ['north', 'south', 'east', 'west'],
  remarks: [
    'pressure {a} bar, valve {b} open, feed water {c} C',
    'belt speed {a} m per min, motor current {b} A, oil {c} C',
    'batch {c} weighed at {a} kg, moisture {b} per cent',
    'filter {b} rinsed, flow back to {a} litres per min',
    'shift supervisor walks hall {b}, no remarks, air {a} C',
    'vibration {a} mm per s on bearing {b}, below the limit of {c}',
    'tank {b} filled to {c} per cent, inlet closed after {a} min',
    'sample {c} taken for the laboratory, pH {a}, turbidity {b}',
  ],
} as const

export const LOOKUP_CHAIN = {
  stepLimit: 30,
  /** `others`: people with a card whom no visit leads to. */
  small: { visits: [2, 4] as Range, others: [4, 6] as Range },
  large: { visits: [8, 12] as Range, others: [14, 20] as Range },
  /** Characters of one card, about: four a token. */
  cardChars: 800,
  badges: [10_000, 99_999] as Range,
  rooms: [101, 489] as Range,
  firstNames: [
    'Ada',
    'Bela',
    'Carl',
    'Dora',
    'Emil',
    'Fay',
    'Gina',
    'Hugo',
    'Ines',
    'Jonas',
    'Kaja',
    'Leo',
    'Mira',
    'Nils',
    'Olga',
    'Pia',
    'Quin',
    'Rosa',
    'Sven',
    'Tara',
    'Udo',
    'Vera',
  ],
  lastNames: [
    'Moreno',
    'Pell',
    'Aldous',
    'Brandt',
    'Corvin',
    'Dressel',
    'Engel',
    'Farkas',
    'Grau',
    'Hollis',
    'Ivers',
    'Jansky',
    'Kolb',
    'Lund',
    'Novak',
    'Orsini',
    'Quist',
    'Reck',
    'Sands',
    'Tolm',
    'Vance',
    'Wirth',
  ],
  departments: ['stores', 'payroll', 'metrology', 'paint shop', 'dispatch', 'archive', 'canteen', 'laboratory'],
  remarks: [
    'Callers knock twice and wait for the green lamp beside the door.',
    'The room is shared with {who} ({path}) on Tuesdays.',
    'Keys for the cabinets are with the {department}, not here.',
    'In case of absence {who} ({path}) takes messages, and no visitors.',
    'Parcels for this room are left with the {department}.',
    'The telephone of this room has the number {number}.',
    'Shoes with hard soles are not worn behind the yellow line.',
    'Until last spring this desk belonged to {who} ({path}).',
    'Forms of the {department} are returned by the end of the month.',
    'Lunch is from 12 to 12.45, when nobody is received.',
  ],
} as const

export const WIDE_SEARCH = {
  stepLimit: 60,
  /** `others`: towers in the gazetteer that nobody asks for. */
  small: { towers: [2, 4] as Range, others: [3, 5] as Range },
  large: { towers: [12, 20] as Range, others: [6, 9] as Range },
  /** In how many of 100 cases the height of a tower is on a survey sheet only. */
  onSheet: 30,
  metres: [58, 489] as Range,
  /** Simulated time of one search in ms: drawn for each task. */
  searchMs: [3_000, 6_000] as Range,
  /** Simulated time of opening a page in ms. */
  pageMs: 2_500,
  towersPerPage: 4,
  /** Lines that the gazetteer has of a tower, beside that of its height. */
  remarksPerTower: 11,
  /** Characters of a survey sheet, about. */
  sheetChars: 900,
  sheets: [11, 98] as Range,
  years: [1821, 1994] as Range,
  names: [
    'Alba',
    'Borm',
    'Cersk',
    'Dunmore',
    'Eskil',
    'Farrow',
    'Gildern',
    'Hovde',
    'Ilmen',
    'Jarrow',
    'Kestrin',
    'Lomond',
    'Mavern',
    'Nordhus',
    'Ostrava',
    'Pendle',
    'Quarrey',
    'Rondane',
    'Selby',
    'Tamsel',
    'Ulster',
    'Vindel',
    'Wexholm',
    'Yarrick',
    'Zirlau',
    'Brevik',
    'Corvane',
    'Drumlin',
    'Fennimore',
  ],
  remarks: [
    '{tower} was begun in {year}, to plans that gave it {number} m and two galleries.',
    'The shadow of {tower} is up to {number} m long at noon in the winter months.',
    'The stairs of {tower} have {number} steps; visitors take the lift on the north side.',
    '{tower} was painted anew in {year}, with {number} buckets of a grey that was made for it.',
    'From the platform of {tower}, at {number} m above the sea, the coast is seen on clear days.',
    'A fire in {year} spared {tower}, though the sheds around it burned down to the ground.',
    'Radio from {tower} was first heard in {year}, by a ship that lay {number} km out.',
    'In {year} a storm took the flagstaff of {tower}; it was found {number} m away in a field.',
    'The keepers of {tower} live in the cottage at its foot, which has stood since {year}.',
    '{tower} is closed on the second Monday of each month, when the lift is looked after.',
    'The bell of {tower} was cast in {year} and weighs {number} kg without the clapper.',
    'Tickets for {tower} are sold at the gate; school classes write {number} days ahead.',
  ],
  sheetRemarks: [
    'Instrument set up {number} m from the foot of the wall, wind from the west, air {small} C.',
    'Station {small} was occupied twice, as the first round of angles did not close.',
    'Bench mark {number} was found sound; the bolt beside it is loose and not to be used.',
    'Rod readings were taken by lamp after the fog came in, to the nearest {small} mm.',
    'The mast on the roof is {small} m and is not part of what is measured.',
    'Sketch of the foundation overleaf, offset of the east corner {small} cm.',
  ],
} as const
