import { totalBytes, makeOne } from './tree.ts'
import { type Case, startPair } from './case.ts'
import { PARTS, Watch } from './watch.ts'

const MB = 1024 * 1024

/** A file that is larger than memory should hold goes up, and comes down again. */
export async function big(it: Case): Promise<void> {
  const { stage } = it
  const { host, panel } = await startPair(stage)
  const tree = await makeOne(stage.at('from'), 'world.zip', (it.long ? 2048 : 200) * MB, it.chance)
  const arriving = new Watch(host.folder, tree)
  const { transferId, sent } = await panel.upload(tree, host.serverId)
  const up = await panel.untilEnded(transferId)
  it.tried += 1
  it.expect((await sent) === null, 'The panel did not take the file from the page.')
  it.expectDone(up)
  it.expect(up.bytesDone === totalBytes(tree), `${up.bytesDone} bytes are told to be done.`)
  it.take(await arriving.end())

  const returning = new Watch(stage.at('Downloads'), { ...tree, ignore: PARTS })
  const down = await panel.call('transfers.download', {
    connectionId: panel.connectionId,
    serverId: host.serverId,
    paths: ['arrived/world.zip'],
  })
  it.tried += 1
  it.expectDone(await panel.untilEnded(down.transferId))
  it.take(await returning.end())
}
