import { api } from '../../contract/areas/index.ts'
import { LOG_PREFIX, savingAnswer } from '../../contract/rules/log-text.ts'
import type { ApiClient } from '../api/client.ts'
import { PanelProblem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'

/** How long the world may take to be written, and how often the console is read for the answer, in ms. */
const FLUSH_MS = 3 * 60_000
const ASK_EVERY = 500
const LINES = 200
/** For each command: a lost answer must not keep a server from saving for long. */
const COMMAND_MS = 15_000

export interface PausePorts {
  client: ApiClient
  serverId: string
  signal: AbortSignal
  clock: Clock
  /** Stored before saving goes off, so that it is turned on again after a kill of the panel. */
  paused: (isPaused: boolean) => Promise<void>
}

/** Whether it runs; unknown counts as running. */
export async function runs({ client, serverId, signal }: PausePorts): Promise<boolean> {
  const { value } = await client.send(api.servers.status, { params: { serverId } }, { signal })
  return value.status !== 'offline' && value.status !== 'crashed' && value.status !== 'sleeping'
}

/** Runs `work` while a running server writes nothing of its own accord; `isPaused` is false if that wasn't possible. */
export async function whilePaused<T>(ports: PausePorts, work: (isPaused: boolean) => Promise<T>): Promise<T> {
  const before = await lineIds(ports)
  // Without lines that can be told apart, nobody would know when it has saved.
  if (before === null) return work(false)
  await ports.paused(true)
  try {
    const isOff = (await told(ports, 'save-off')) === 'done'
    return await work(isOff && (await isSaved(ports, before)))
  } finally {
    await resumeSaving(ports)
  }
}

/** Sends `save-on`. If the service can't be asked now, it stays noted. */
export async function resumeSaving(ports: Omit<PausePorts, 'signal'>): Promise<void> {
  const signal = AbortSignal.timeout(COMMAND_MS)
  const answer = await told({ ...ports, signal }, 'save-on').catch(() => 'lost')
  // Refused: it doesn't run, and saves once it starts, or this account may not command it.
  if (answer !== 'lost') await ports.paused(false)
}

const REFUSED = new Set(['forbidden', 'not-found', 'unavailable', 'conflict', 'invalid'])

async function told(
  { client, serverId, signal }: Omit<PausePorts, 'paused' | 'clock'>,
  command: string,
): Promise<'done' | 'refused' | 'lost'> {
  const input = { params: { serverId }, body: { command } }
  try {
    await client.send(api.console.command, input, { signal, headMs: COMMAND_MS })
    return 'done'
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PanelProblem)) throw error
    if (error.problem.code === 'unconfirmed') return 'done'
    return REFUSED.has(error.problem.code) ? 'refused' : 'lost'
  }
}

async function isSaved(ports: PausePorts, before: ReadonlySet<string>): Promise<boolean> {
  const { clock, signal } = ports
  if ((await told(ports, 'save-all flush')) !== 'done') return false
  const until = clock.elapsed() + FLUSH_MS
  while (clock.elapsed() < until) {
    await clock.sleep(ASK_EVERY, signal)
    for (const { id, text } of (await lines(ports)) ?? []) {
      if (!id || before.has(id)) continue
      const answer = savingAnswer(messageOf(text))
      if (answer !== null) return answer === 'saved'
    }
  }
  return false
}

// eslint-disable-next-line no-control-regex -- colors of a terminal
const COLORS = /\u001b\[[0-9;]*m/g

const messageOf = (line: string): string => line.replaceAll(COLORS, '').replace(LOG_PREFIX, '').trim()

async function lineIds(ports: PausePorts): Promise<ReadonlySet<string> | null> {
  const all = await lines(ports)
  const ids = new Set(all?.flatMap(({ id }) => id ?? []))
  return all === null || (all.length > 0 && ids.size === 0) ? null : ids
}

async function lines({ client, serverId, signal }: PausePorts) {
  try {
    const input = { params: { serverId }, query: { limit: LINES } }
    return (await client.send(api.console.history, input, { signal })).value.items
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof PanelProblem)) throw error
    return null
  }
}
