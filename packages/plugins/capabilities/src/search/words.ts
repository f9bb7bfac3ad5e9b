/** Letters and digits in a row. */
const RUN = /[\p{L}\p{N}]+/gu

/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Endings of inflected forms, the longest first. */
const ENDINGS = ['ings', 'ing', 'ed', 'es', 'e', 's']

/** English words that stand in every text and are about nothing. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been but by can could did do does for from had has have how i if in into is it its let may ' +
    'me my no not of on or our out please shall she he him her should so some such than that the their them then there ' +
    'these they this those to us was we were what when where which who whom whose why will with would you your'
  ).split(' '),
)

/** Fewest letters of a word that stay when an ending is taken off. */
const LEAST_STEM = 4

/**
 * The words of a text for a search, in order and with repeats. Names are split at dots, underscores, hyphens and humps
 * (`files.readText`, `read_text_file`), case is dropped, endings are taken off, and English function words are left out. Of
 * scripts that have no spaces the words are pairs of characters.
 */
export function wordsOf(text: string): readonly string[] {
  return (splitHumps(text.normalize('NFKC')).match(RUN) ?? []).flatMap((run) => {
    if (UNSPACED.test(run)) return pairsOf(run)
    const word = run.toLowerCase()
    return FUNCTION_WORDS.has(word) ? [] : [stemOf(word)]
  })
}

/** `readTextFile` and `HTTPServer` as separate words. */
function splitHumps(text: string): string {
  return text.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run)
  if (characters.length < 2) return characters
  return characters.slice(1).map((second, index) => `${characters[index]}${second}`)
}

/** The word without its ending: `convert`, `converts` and `converting` are one word, `conversion` is another. */
function stemOf(word: string): string {
  const stem = withoutEnding(word)
  return stem.endsWith('y') ? `${stem.slice(0, -1)}i` : stem
}

function withoutEnding(word: string): string {
  if (word.endsWith('ss')) return word
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= LEAST_STEM)
  if (ending !== undefined) return word.slice(0, -ending.length)
  return word.length === LEAST_STEM && word.endsWith('s') ? word.slice(0, -1) : word
}
