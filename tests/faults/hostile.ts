import { once } from 'node:events'
import { inspect } from 'node:util'
import WebSocket from 'ws'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { panelAttacks, serviceAttacks, type Tried } from './hostile-attacks.ts'
import { Panel } from './panel.ts'
import { attack, flood, statusOf } from './stranger.ts'

/** Connections of one flood: more than the panel holds of strangers. */
const FLOOD = 600
/** Attacks under way at the same time. */
const AT_ONCE = 40

/** One of our programs as a stranger meets it. */
interface Target {
  name: string
  port: number
  /** Throws where it does not answer those it serves. */
  serves: () => Promise<unknown>
  hasEnded: () => boolean
}

/**
 * Strangers reach the ports of a panel and a service: they reset what is refused, begin and never end, drip, lie about who
 * they are, and come in floods. Nobody is let in, nothing hangs, no program ends, and those who belong there are served.
 */
export async function hostile(it: Case): Promise<void> {
  const host = await Host.start(it.stage, { wholeHashes: true })
  const panel = await Panel.start(it.stage)
  await panel.signIn(host.port)
  const targets = [
    {
      name: 'The panel',
      port: Number(new URL(panel.own.origin).port),
      serves: () => panelServes(panel),
      hasEnded: () => panel.hasEnded,
      attacks: panelAttacks(panel.own),
    },
    {
      name: 'The service',
      port: host.port,
      serves: () => host.signIn(),
      hasEnded: () => host.hasEnded,
      attacks: serviceAttacks(host.port),
    },
  ]
  const rounds = it.long ? 10 : 1
  for (let round = 0; round < rounds; round++)
    for (const { attacks, ...target } of targets) {
      await tryAll(it, target, shuffled(it, attacks))
      await tryFlood(it, target)
    }
  it.expect(!(await it.stage.said()).includes('nobody caught'), 'An error was caught by nobody.')
}

async function tryAll(it: Case, target: Target, attacks: Tried[]): Promise<void> {
  const waiting = [...attacks]
  const lane = async () => {
    for (let one = waiting.shift(); one && !target.hasEnded(); one = waiting.shift()) {
      it.tried++
      const answer = await attack(target.port, one)
      const status = statusOf(answer ?? '')
      it.expect(answer !== null, `${target.name} holds a connection for ever: ${one.what}`)
      it.expect(one.allowed.includes(status), `${target.name} answers ${status}: ${one.what}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await serves(it, target, 'after the attacks')
}

async function tryFlood(it: Case, target: Target): Promise<void> {
  if (target.hasEnded()) return
  it.tried += FLOOD
  const letGo = await flood(target.port, FLOOD)
  await serves(it, target, 'during a flood of connections')
  letGo()
  await serves(it, target, 'after a flood of connections')
}

async function serves(it: Case, target: Target, when: string): Promise<void> {
  await target
    .serves()
    .catch((error: unknown) => it.wrong.push(`${target.name} does not serve ${when}: ${inspect(error)}`))
  it.expect(!target.hasEnded(), `${target.name} has ended ${when}.`)
}

/** The page that is open is answered, and another one can be opened. */
async function panelServes(panel: Panel): Promise<void> {
  const { origin, cookie, socket } = panel.own
  await panel.call('app.info', undefined)
  // On a connection of its own: one that was kept may be closed for its age at the moment it is used again.
  const page = await fetch(origin, {
    headers: { cookie, connection: 'close' },
    signal: AbortSignal.timeout(30_000),
  })
  if (!page.ok) throw new Error(`the page: ${page.status}`)
  const another = new WebSocket(`${origin.replace('http', 'ws')}/socket`, ...socket)
  await once(another, 'open', { signal: AbortSignal.timeout(30_000) })
  another.terminate()
}

function shuffled<T>(it: Case, list: readonly T[]): T[] {
  const left = [...list]
  return list.map(() => left.splice(it.chance.between(0, left.length - 1), 1)[0]!)
}
