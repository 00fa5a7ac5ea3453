import { type Case, type Pair, startPair } from './case.ts'
import type { Moment } from './line.ts'
import { makeTree } from './tree.ts'
import { PARTS, Watch } from './watch.ts'

const FILES = 500
/** Bytes per second: the tree has to be on its way for longer than a program takes to start. */
const LIMIT = 8 * 1024 * 1024

/** Ends a program without a word, and starts it again. */
interface Victim {
  kill(): void
  revive(): Promise<void>
}

/** The panel ends without a word, again and again, while a tree goes up and while it comes down again. */
export const panelKilled = (it: Case): Promise<void> =>
  killed(it, ({ panel, line }) => ({
    kill: () => panel.signalKill(),
    async revive() {
      await panel.ended()
      await panel.start()
      await panel.signIn(line.port)
    },
  }))

/** The service ends without a word, again and again, while a tree goes up and while it comes down again. */
export const serviceKilled = (it: Case): Promise<void> =>
  killed(it, ({ host }) => ({
    kill: () => host.signalKill(),
    async revive() {
      await host.ended()
      await host.start()
    },
  }))

async function killed(it: Case, victimOf: (pair: Pair) => Victim): Promise<void> {
  const { stage, chance } = it
  const pair = await startPair(stage)
  const { host, panel } = pair
  const victim = victimOf(pair)
  await panel.call('transfers.limit', { limit: LIMIT, atOnce: 2 })

  const tree = await makeTree(stage.at('from'), FILES, chance)
  const arriving = new Watch(host.folder, tree)
  const up = await panel.upload(tree, host.serverId)
  // What the page has not handed over yet dies with the panel, which is another thing: here all of it has come.
  await panel.call('transfers.pause', { transferId: up.transferId })
  it.expect((await up.sent) === null, 'The panel did not take the files from the page.')
  await panel.call('transfers.resume', { transferId: up.transferId })
  await strike(it, pair, victim, up.transferId, it.long ? 20 : 3, ['up', 'up', 'answer'])
  it.take(await arriving.end())

  const returning = new Watch(stage.at('Downloads'), { ...tree, ignore: PARTS })
  const down = await panel.call('transfers.download', {
    connectionId: panel.connectionId,
    serverId: host.serverId,
    paths: ['arrived/tree'],
  })
  await strike(it, pair, victim, down.transferId, it.long ? 10 : 2, ['down'])
  it.take(await returning.end())
  for (const problem of panel.problems) it.expectSaid(problem, ['offline', 'rate-limited', 'service-failed'])
}

/** Kills at chance points of a transfer, and waits for its end. */
async function strike(
  it: Case,
  { panel, line }: Pair,
  victim: Victim,
  transferId: string,
  times: number,
  moments: readonly Moment[],
): Promise<void> {
  const { chance } = it
  const over = panel.untilEnded(transferId).then(() => 'over' as const)
  over.catch(() => undefined)
  let struck = 0
  for (; struck < times; struck++) {
    const now = await panel.until(transferId, 'there', () => true)
    // Every other time something has to have arrived since the last one, so that not all strike at the same place.
    const moved = panel.until(
      transferId,
      'moving',
      ({ filesDone }) => struck % 2 === 0 || filesDone > now.filesDone,
    )
    if ((await Promise.race([moved, over])) === 'over') break
    const left = (now.bytes - (panel.transfer(transferId)?.bytesDone ?? 0)) / (times - struck + 1)
    const bytes = chance.between(1, Math.max(1, Math.floor(left)))
    const fault = line.after(bytes, chance.pick(moments), () => victim.kill())
    if ((await Promise.race([fault, over])) === 'over') break
    await victim.revive()
  }
  line.disarm()
  it.tried += struck
  it.expect(struck === times, `The transfer had ended after ${struck} kills of ${times}.`)
  it.expectDone(await panel.untilEnded(transferId))
}
