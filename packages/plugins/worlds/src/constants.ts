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
