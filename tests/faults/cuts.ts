import { type Case, startPair } from './case.ts'
import { totalBytes, makeOne } from './tree.ts'
import { Watch } from './watch.ts'

const MB = 1024 * 1024

/** The connection is cut at chance points of one upload: while bytes go up, and while an answer comes back. */
export async function cuts(it: Case): Promise<void> {
  const { stage, chance } = it
  const { host, line, panel } = await startPair(stage)
  const tree = await makeOne(stage.at('from'), 'region.mca', (it.long ? 200 : 60) * MB, chance)
  const total = totalBytes(tree)
  const cuts = it.long ? 50 : 8
  const watch = new Watch(host.folder, tree)
  const { transferId, sent } = await panel.upload(tree, host.serverId)
  const ended = panel.untilEnded(transferId).then(() => null)
  ended.catch(() => undefined)
  for (let at = 0; at < cuts; at++) {
    const left = total - (panel.transfer(transferId)?.bytesDone ?? 0)
    const bytes = chance.between(1, Math.max(1, Math.floor(left / (cuts - at + 1))))
    const moment = chance.next() < 0.3 ? 'answer' : 'up'
    const refusing = chance.next() < 0.25 ? chance.between(1, 3) : 0
    const struck = line.after(bytes, moment, () => line.cut(refusing)).then(() => 'struck')
    if ((await Promise.race([struck, ended])) === null) break
    it.tried += 1
  }
  line.disarm()
  it.expect(it.tried === cuts, `The upload had ended after ${it.tried} cuts of ${cuts}.`)
  const transfer = await panel.untilEnded(transferId)
  it.expect((await sent) === null, 'The panel did not take the file from the page.')
  it.expectDone(transfer)
  it.expectTold(panel.problems, ['offline', 'rate-limited', 'service-failed'])
  it.take(await watch.end())
}
