import { type Case, startPair } from './case.ts'
import { Refused } from './panel.ts'
import { NO_DISK, SmallDisk } from './small-disk.ts'
import { totalBytes, makeOne, makeTree } from './tree.ts'
import { Watch } from './watch.ts'

const MB = 1024 * 1024

/** The disk of the service has no room: told before the first byte where that can be known, else when it happens. */
export async function serviceDiskFull(it: Case): Promise<void> {
  const { stage, chance } = it
  const disk = await SmallDisk.mount(stage, 'service', 128)
  // A quota is the same to the panel where no small disk can be had; that it is used up meanwhile cannot be tried then.
  const { host, line, panel } = await startPair(
    stage,
    disk ? { data: disk.folder } : { quotaBytes: 100 * MB },
  )
  const large = await makeOne(stage.at('too large'), 'too-large.zip', 200 * MB, chance)
  const before = line.up
  const never = await panel.upload(large, host.serverId)
  it.tried += 1
  it.expectSaid(await panel.untilWrong(never.transferId), ['too-large'])
  const refused = panel.transfer(never.transferId)
  it.expect(refused?.state === 'failed', `A file that cannot fit is ${refused?.state}.`)
  it.expect(line.up - before < MB, `${line.up - before} bytes were sent of a file that cannot fit.`)
  await never.sent

  if (!disk) return void it.skipped.push(NO_DISK)
  for (let round = 0; round < (it.long ? 6 : 2); round++) {
    const from = stage.at(`from ${round}`)
    // One file that goes in pieces, and in turn many of which most go together: each of those is answered for itself.
    const tree = await (round % 2 === 0
      ? makeOne(from, `world ${round}.zip`, 20 * MB, chance)
      : makeTree(from, 300, chance))
    const folder = `${host.folder}-${round}`
    const watch = new Watch(folder, tree)
    const bytes = chance.between(1, Math.floor(totalBytes(tree) * 0.7))
    const struck = line.after(bytes, 'up', () => disk.fill())
    const { transferId } = await panel.upload(tree, host.serverId, `arrived-${round}`)
    await struck
    it.tried += 1
    const told = await panel.untilWrong(transferId)
    it.expectSaid(told, ['too-large', 'service-failed'])
    it.expect(told?.serviceCode === 'files.disk-full', `The service's own reason is ${told?.serviceCode}.`)
    disk.clear()
    await goOn(it, panel, transferId)
    it.take(await watch.end())
  }
}

/** The disk of this computer has no room: for what a page hands over, for the queue itself, for what is downloaded. */
export async function panelDiskFull(it: Case): Promise<void> {
  const { stage, chance } = it
  const disk = await SmallDisk.mount(stage, 'panel', 64)
  const downloads = await SmallDisk.mount(stage, 'Downloads', 48)
  if (!disk || !downloads) return void it.skipped.push(NO_DISK)
  const { host, line, panel } = await startPair(stage, { panelData: disk.folder })

  const large = await makeOne(stage.at('too large'), 'too-large.zip', 80 * MB, chance)
  it.tried += 1
  try {
    await panel.upload(large, host.serverId)
    it.expect(false, 'The panel takes a file for which it has no room.')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    it.expectSaid(error.problem, ['too-large'])
  }

  // While the page hands over.
  const tree = await makeTree(stage.at('from'), 60, chance)
  const one = await makeOne(stage.at('from'), 'tree/world.zip', 20 * MB, chance)
  for (const [name, expected] of one.files) tree.files.set(name, expected)
  const watch = new Watch(host.folder, tree)
  const handed = await panel.upload(one, host.serverId, 'aside', {
    after: chance.between(1, 10 * MB),
    act: () => disk.fill(),
  })
  it.tried += 1
  it.expectSaid(await handed.sent, ['too-large'])
  disk.clear()
  const ended = await panel.untilEnded(handed.transferId)
  it.expect(ended.filesFailed === 1, `A file that never came is ${ended.state}.`)

  // While the queue keeps what it knows.
  await panel.call('transfers.limit', { limit: 12 * MB, atOnce: 2 })
  const up = await panel.upload(tree, host.serverId)
  it.expect((await up.sent) === null, 'The panel did not take the files from the page.')
  await line.after(chance.between(1, 4 * MB), 'up', () => disk.fill())
  it.tried += 1
  const told = await panel.untilWrong(up.transferId)
  if (told) it.expectSaid(told, ['too-large'])
  disk.clear()
  await goOn(it, panel, up.transferId)
  it.take(await watch.end())

  // While it comes down.
  const returning = new Watch(downloads.folder, {
    files: new Map([...one.files].map(([name, expected]) => [name.slice('tree/'.length), expected])),
    folders: [],
    ignore: /(^|\/)\.([^/]+\.part|filler)$/,
  })
  const struck = line.after(chance.between(1, 15 * MB), 'down', () => downloads.fill())
  const down = await panel.call('transfers.download', {
    connectionId: panel.connectionId,
    serverId: host.serverId,
    paths: ['arrived/tree/world.zip'],
  })
  await struck
  it.tried += 1
  it.expectSaid(await panel.untilWrong(down.transferId), ['too-large'])
  downloads.clear()
  await goOn(it, panel, down.transferId)
  it.take(await returning.end())
}

/** Lets a transfer go on after its disk has room again: by itself where it waits, by the retry where it has failed. */
async function goOn(
  it: Case,
  panel: Awaited<ReturnType<typeof startPair>>['panel'],
  transferId: string,
): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const ended = await panel.untilEnded(transferId)
    if (ended.filesFailed === 0) break
    for (const { problem } of await panel.failures(transferId))
      it.expectSaid(problem, ['too-large', 'service-failed'])
    await panel.call('transfers.retry', { transferId })
    await panel.until(transferId, 'going on', ({ endedAt, filesFailed }) => !endedAt || filesFailed === 0)
  }
  it.expectDone(await panel.untilEnded(transferId))
}
