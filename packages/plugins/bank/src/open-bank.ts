import { randomUUID } from 'node:crypto'
import { Bank, type BankOptions } from './bank.js'
import { openIndex } from './index/open-index.js'
import { BankLog } from './log/bank-log.js'

/**
 * Opens the bank of a directory, and takes up in its index what is new in the log.
 *
 * @throws HarnessError `E_BANK_OPEN` when it cannot be opened, `E_BANK_NEWER` when a newer program wrote to it, `E_BANK_INDEX`
 *   when its index cannot be used.
 */
export async function openBank(options: BankOptions): Promise<Bank> {
  const { directory, index: choice = 'auto', newId = randomUUID } = options
  const log = new BankLog(directory, newId)
  const index = await openIndex(choice, { directory, logBytes: log.state().size })
  const bank = new Bank(log, index, options)
  try {
    await bank.refresh()
    return bank
  } catch (error) {
    await bank.close()
    throw error
  }
}
