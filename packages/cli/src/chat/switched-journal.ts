import type { Journal } from '@harnesswright/core'

/** The journal of a harness whose runs have one file each, one after another. */
export class SwitchedJournal implements Journal {
  #current: Journal | undefined

  /** What is appended from now on goes there; undefined: nowhere. */
  to(journal: Journal | undefined): void {
    this.#current = journal
  }

  async append(entry: Parameters<Journal['append']>[0]): Promise<void> {
    await this.#current?.append(entry)
  }
}
