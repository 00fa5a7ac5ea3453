import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type Case, startPair } from './case.ts'
import { makeOne, makeTree, totalBytes, type Tree } from './tree.ts'
import { PARTS, Watch } from './watch.ts'

const MB = 1024 * 1024

/** A tree goes up, and comes down again. */
async function thereAndBack(
  it: Case,
  { host, panel }: Awaited<ReturnType<typeof startPair>>,
  tree: Tree,
  name: string,
): Promise<void> {
  const { stage } = it
  const arriving = new Watch(host.folder, tree)
  const { transferId, sent } = await panel.upload(tree, host.serverId)
  const up = await panel.untilEnded(transferId)
  it.tried += 1
  it.expect((await sent) === null, 'The panel did not take the files from the page.')
  it.expectDone(up)
  it.expect(up.bytesDone === totalBytes(tree), `${up.bytesDone} bytes are told to be done.`)
  it.take(await arriving.end())

  const returning = new Watch(stage.at('Downloads'), { ...tree, ignore: PARTS })
  const down = await panel.call('transfers.download', {
    connectionId: panel.connectionId,
    serverId: host.serverId,
    paths: [`arrived/${name}`],
  })
  it.tried += 1
  it.expectDone(await panel.untilEnded(down.transferId))
  it.take(await returning.end())
}

/** A file that is larger than memory should hold goes up, and comes down again; in the long form 2,000 small ones too. */
export async function big(it: Case): Promise<void> {
  const pair = await startPair(it.stage)
  const size = (it.long ? 2048 : 200) * MB
  await thereAndBack(it, pair, await makeOne(it.stage.at('from'), 'world.zip', size, it.chance), 'world.zip')
  if (!it.long) return
  // Each watch knows of one tree alone.
  for (const folder of [pair.host.folder, it.stage.at('Downloads')]) await rm(path.join(folder, 'world.zip'))
  await thereAndBack(it, pair, await makeTree(it.stage.at('many'), 2000, it.chance), 'tree')
}
