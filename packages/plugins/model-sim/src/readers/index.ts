import type { Reader } from '../reader.js'
import { longLogReader } from './long-log.js'
import { lookupChainReader } from './lookup-chain.js'
import { quotesReader } from './quotes.js'
import { wideSearchReader } from './wide-search.js'

/** Every reader there is. A new family of tasks is one more module here, and a world elsewhere. */
export const readers: readonly Reader[] = [quotesReader, longLogReader, lookupChainReader, wideSearchReader]
