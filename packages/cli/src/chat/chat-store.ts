import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest, Message, Status } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { isObject } from '../lock/named-manifests.js'
import type { Total } from '../output/total.js'
import { readTextFile } from '../read-text-file.js'
import { hideSecrets } from '../run/secrets.js'

const CHAT = 'chat.json'
const TURNS = 'turns.jsonl'
const MAX_BYTES = 256 * 1024 * 1024

/** What the harness of a chat is made from, when the chat is gone on with. */
export interface ChatCard {
  readonly version: 1
  readonly manifest: Manifest
  readonly harnessId: string
}

/** A turn as it is kept. */
export interface Turn {
  /** What was said, for people. */
  readonly instruction: string
  readonly status: Status
  /** What it adds to the conversation. */
  readonly messages: readonly Message[]
  readonly steps: number
  readonly total: Total
}

/** Writes what the harness of a chat is, once. */
export function writeChat(directory: string, card: ChatCard, secrets: readonly string[]): void {
  writeFileSync(join(directory, CHAT), hideSecrets(`${JSON.stringify(card, null, 2)}\n`, secrets), { mode: 0o600 })
}

/** Keeps a turn that is over, as a line of its own, without the secrets. */
export function keepTurn(directory: string, turn: Turn, secrets: readonly string[]): void {
  appendFileSync(join(directory, TURNS), hideSecrets(`${JSON.stringify(turn)}\n`, secrets), { mode: 0o600 })
}

/** Takes away a last line that a crash has torn, so that the next turn is a line of its own. */
export function mendTurns(directory: string): void {
  const file = join(directory, TURNS)
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const whole = bytes.lastIndexOf(0x0a) + 1
  if (whole < bytes.length) truncateSync(file, whole)
}

/** Directory of a turn, counted from 1. */
export function turnDirectory(directory: string, number: number): string {
  return join(directory, 'turns', String(number))
}

/** The number of the newest turn that was begun; 0 where there is none. */
export function newestTurn(directory: string): number {
  const path = join(directory, 'turns')
  const names = existsSync(path) ? readdirSync(path) : []
  return Math.max(0, ...names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number))
}

/** The directory of the chat that a path is in, of a turn too; undefined where it is in none. */
export function chatOf(path: string): string | undefined {
  return [path, dirname(dirname(path))].find((directory) => existsSync(join(directory, CHAT)))
}

/**
 * What a chat has kept. A line that a crash has torn is left out.
 *
 * @throws HarnessError `E_CLI_RESUME` when there is no chat, or its records are not whole.
 */
export async function readChat(
  directory: string,
): Promise<{ readonly card: ChatCard; readonly turns: readonly Turn[] }> {
  const file = join(directory, CHAT)
  const text = await readTextFile(file, { where: file, maxBytes: 1024 * 1024, code: 'E_CLI_RESUME' })
  const [card] = parseLines([text])
  if (!isCard(card)) throw notWhole(file)
  const turnsFile = join(directory, TURNS)
  if (!existsSync(turnsFile)) return { card, turns: [] }
  const kept = await readTextFile(turnsFile, { where: turnsFile, maxBytes: MAX_BYTES, code: 'E_CLI_RESUME' })
  const turns = parseLines(kept.split('\n').slice(0, -1))
  if (!turns.every(isTurn)) throw notWhole(turnsFile)
  return { card, turns }
}

function parseLines(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => {
    try {
      return JSON.parse(line) as unknown
    } catch {
      return undefined
    }
  })
}

/** The manifest is checked when it is assembled. */
function isCard(value: unknown): value is ChatCard {
  if (!isObject(value)) return false
  const { version, manifest, harnessId } = value
  return version === 1 && isObject(manifest) && typeof harnessId === 'string'
}

/** The messages are checked as a history when the next turn begins. */
function isTurn(value: unknown): value is Turn {
  if (!isObject(value)) return false
  const { instruction, status, messages, steps, total } = value
  const isMessage = (one: unknown): boolean => isObject(one) && typeof one['role'] === 'string'
  return (
    typeof instruction === 'string' &&
    typeof status === 'string' &&
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    typeof steps === 'number' &&
    isObject(total) &&
    isObject(total['usage'])
  )
}

function notWhole(file: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `The chat cannot go on: ${file} is not what a chat of this version leaves.`,
    where: file,
    expected: 'the records of a chat, as "harnesswright chat" writes them',
    fix: 'Begin a new chat.',
  })
}
