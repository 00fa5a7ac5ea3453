import type { ProblemCode } from '../../src/contract/bridge/problem.ts'
import { type Case, type Pair, startPair } from './case.ts'
import type { Moment } from './line.ts'
import { totalBytes, type Expected, makeOne, makeTree } from './tree.ts'
import { PARTS, Watch } from './watch.ts'

const MB = 1024 * 1024
const FILES = 499
/** Bytes per second: the tree has to be on its way for longer than a program takes to start. */
const LIMIT = 8 * MB
const told: readonly ProblemCode[] = ['offline', 'rate-limited', 'service-failed']

/** Ends a program without a word, and starts it again. */
interface Victim {
  kill(): void
  revive(): Promise<void>
}

/** The panel ends without a word, again and again, while a tree goes up and while it comes down again. */
export async function panelKilled(it: Case): Promise<void> {
  const pair = await killed(it, ({ panel, line }) => ({
    kill: () => panel.signalKill(),
    async revive() {
      await panel.ended()
      await panel.start()
      await panel.signIn(line.port)
    },
  }))
  for (const problem of pair.panel.problems) it.expectSaid(problem, told)
  await killedWhileTaking(it, pair)
}

/** The service ends without a word, again and again, while a tree goes up and while it comes down again. */
export async function serviceKilled(it: Case): Promise<void> {
  const { panel } = await killed(it, ({ host }) => ({
    kill: () => host.signalKill(),
    async revive() {
      await host.ended()
      await host.start()
    },
  }))
  it.expectTold(panel.problems, told)
}

async function killed(it: Case, victimOf: (pair: Pair) => Victim): Promise<Pair> {
  const { stage, chance } = it
  const pair = await startPair(stage)
  const { host, panel } = pair
  const victim = victimOf(pair)
  await panel.call('transfers.limit', { limit: LIMIT, atOnce: 2 })

  const tree = await makeTree(stage.at('from'), FILES, chance)
  // One that goes in pieces: what was hashed of it is forgotten with the program.
  const large = await makeOne(stage.at('from'), 'tree/large.dat', (it.long ? 24 : 4) * MB, chance)
  for (const [path, expected] of large.files) tree.files.set(path, expected)
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
  return pair
}

/** The panel ends without a word while a page hands a tree over: what had come arrives, the rest is told and comes again. */
async function killedWhileTaking(it: Case, { host, panel, line }: Pair): Promise<void> {
  const { stage, chance } = it
  for (let round = 0; round < (it.long ? 5 : 1); round++) {
    const tree = await makeTree(stage.at(`handed ${round}`), 120, chance)
    const watch = new Watch(`${host.folder}-${round}`, tree)
    const folder = `arrived-${round}`
    const after = chance.between(1, Math.floor(totalBytes(tree) * 0.9))
    const first = await panel.upload(tree, host.serverId, folder, { after, act: () => panel.signalKill() })
    await panel.ended()
    it.tried += 1
    await panel.start()
    await panel.signIn(line.port)
    const { filesDone, filesFailed, files } = await panel.untilEnded(first.transferId)
    it.expect(filesFailed > 0, 'Files are told to be done that never came from the page.')
    it.expect(
      filesDone + filesFailed === files,
      `Of ${files} files ${filesDone} came and ${filesFailed} failed.`,
    )
    const missing = new Map<string, Expected>()
    for (const { path, problem } of await panel.failures(first.transferId)) {
      it.expectSaid(problem, ['offline'])
      const expected = tree.files.get(path)
      if (expected) missing.set(path, expected)
    }
    const rest = await panel.upload({ ...tree, files: missing, folders: [] }, host.serverId, folder)
    it.expectDone(await panel.untilEnded(rest.transferId))
    it.take(await watch.end())
  }
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
      ({ filesDone, bytesDone }) =>
        struck % 2 === 0 || filesDone > now.filesDone || bytesDone > now.bytesDone,
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
  for (const { problem } of await panel.failures(transferId))
    it.expect(false, `A file failed: “${problem?.message}” (${problem?.code}).`)
}
