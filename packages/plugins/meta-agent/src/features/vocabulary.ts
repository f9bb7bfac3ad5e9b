/**
 * The words by which an instruction is read: common English, of no particular task.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Verbs after which a path is written. */
export const WRITE_VERBS = words('write save store export output create produce generate put append update edit record')

/** Verbs and prepositions after which a path is read. */
export const READ_WORDS = words('read open load parse see use consult from of using with between')

/** Prepositions that point back at the verb: "write it to", "save it as". */
export const TARGET_WORDS = words('to into as')

/** What a sentence calls a file that it does not name. */
export const FILE_NOUNS = words('file files spreadsheet spreadsheets document documents workbook')

/** Verbs that ask for something, in the form of a request. */
export const ASK_VERBS = words(
  'find list read visit make get collect compare determine compute calculate work answer check summarise summarize describe ' +
    'translate identify extract count look name give tell search fetch open review classify rate rank sort verify solve ' +
    'analyse analyze write create send add delete remove update save schedule book play convert report state explain ' +
    'investigate examine inspect test fix move copy rename merge change draft retrieve download choose pick select process',
)

/** Words before a request that do not change it. */
export const LEAD_WORDS = words('please then also next finally first second third now and after that afterwards lastly')

/** Words after which a verb asks, beside the beginning of a sentence: "could you find", "and write". */
export const BEFORE_REQUESTS = words('and then please you')

/** Words that make a number a choice out of more, found in one go: "the top 10". */
export const RANK_WORDS = words('top first last latest best next least most')

/** Words that end a phrase such as "the height of the twelve": what follows is no object of the verb. */
export const PHRASE_ENDS = words(
  'how if when while that which who with for in from by per at using under than is are was were has have on or and to into',
)

/** Nouns of things that are read one by one. */
export const READABLE_NOUNS = words(
  'part parts file files page pages document documents chapter chapters section sections log logs record records report ' +
    'reports list lists table tables sheet sheets mail mails email emails message messages letter letters ticket tickets ' +
    'article articles paper papers source sources transcript transcripts note notes invoice invoices contract contracts ' +
    'volume volumes entry entries form forms review reviews post posts website websites',
)

/** Nouns that measure: so many of them are no separate things to do. */
export const MEASURE_NOUNS = words(
  'seconds minutes hours days weeks months years times percent pieces units words characters letters sentences lines ' +
    'paragraphs tokens bytes digits decimals places points degrees dollars euros cents meters metres miles kilometers ' +
    'kilometres grams kilograms litres liters inches feet steps bullets columns rows',
)

/** Words that say that one thing comes after another. */
export const SEQUENCE_WORDS = words('then afterwards subsequently finally')

/** Words that say so at the beginning of a clause only: not "the next 30 days". */
export const CLAUSE_SEQUENCE_WORDS = words('next after once')

/** Words by which each thing leads to another. */
export const CHAIN_WORDS = words('next previous preceding following before')

/** Ordinal numbers, in words and digits. */
export const ORDINAL_WORDS = words(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ' +
    '1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th',
)

const SMALL_NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Numbers in words. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL_NUMBERS.map((word, value): [string, number] => [word, value]),
  ['dozen', 12],
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['hundred', 100],
])

/** Extensions by which a word with a dot is a file. With a folder before it any extension does. */
export const FILE_EXTENSIONS = words(
  'txt md csv tsv json jsonl ndjson yaml yml toml xml html htm pdf doc docx odt rtf xls xlsx ods ppt pptx log ini cfg conf ' +
    'sql py js ts jsx tsx java go rs c h cpp rb php sh ipynb eml ics zip png jpg jpeg gif svg parquet tex',
)
