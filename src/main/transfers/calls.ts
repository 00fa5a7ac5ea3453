import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ParsedCallInput } from '../../contract/bridge/calls.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { problem } from '../base/problem.ts'
import type { ApiClient } from '../api/client.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import { fileDialogs } from '../desktop/file-dialogs.ts'
import type { Ports } from '../base/ports.ts'
import type { DownloadTarget } from './download/chosen-items.ts'
import type { DownloadFolder } from './download/download-folder.ts'
import { safeName } from './items/local-names.ts'
import { remoteEntry } from './items/compare-remote.ts'
import { PickedPaths } from './intake/picked.ts'
import type { TransferManager } from './transfers.ts'

export interface ComputerDependencies {
  ports: Pick<Ports, 'systemFiles'>
  client: (connectionId: string) => ApiClient
  downloads: DownloadFolder
  transfers: Pick<TransferManager, 'download' | 'upload' | 'broughtHere'>
}

export function computerHandlers({ ports, client, downloads, transfers }: ComputerDependencies) {
  const { system, asking } = fileDialogs(ports)
  const from = () => downloads.always()

  async function chosenPlace(input: ParsedCallInput<'computer.download-to'>): Promise<DownloadTarget | null> {
    const { connectionId, serverId, paths } = input
    const [path] = paths
    const only =
      paths.length === 1 && path
        ? await remoteEntry(client(connectionId), { serverId, backup: null }, path)
        : null
    if (only && only.kind !== 'folder') {
      const suggested = join(await from(), safeName(only.name))
      const file = await asking(({ pickPlace }) => pickPlace(suggested))
      return file === null ? null : { file, replaces: await isFile(file) }
    }
    const begin = await from()
    const folder = await asking(({ pickFolder }) => pickFolder(begin))
    return folder === null ? null : { folder }
  }

  return {
    async 'computer.download-to'(input) {
      system()
      const place = await chosenPlace(input)
      return place ? await transfers.download(input, place) : { transferId: null }
    },
    async 'computer.pick-and-send'({ what, ...to }) {
      const chosen = await asking(({ pickThere }) => pickThere(what))
      if (chosen.length === 0) return { transferId: null }
      const files = chosen.map((file) => ({ path: basename(file), file }))
      // A disk root has no name to use on the server.
      const disk = files.find(({ path }) => path === '')
      if (disk)
        throw problem('invalid', localized('computer.whole-disk', { path: disk.file }), { retryable: false })
      return await transfers.upload(PickedPaths.parse({ to, files, folders: [] }))
    },
    async 'computer.reveal'({ transferId }) {
      const files = system()
      for (const path of (await transfers.broughtHere(transferId)) ?? [])
        if (await lstat(path).catch(() => null)) return files.reveal(path)
      throw problem('not-found', localized('computer.not-here'))
    },
    'computer.downloads': () => downloads.read(),
    async 'computer.choose-downloads'() {
      const begin = await from()
      const folder = await asking(({ pickFolder }) => pickFolder(begin))
      return folder === null ? await downloads.read() : await downloads.choose(folder)
    },
    'computer.usual-downloads'() {
      system()
      return downloads.choose(null)
    },
  } satisfies AreaHandlers<'computer'>
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (entry) => !entry.isDirectory(),
    () => false,
  )

export interface TransferDependencies {
  transfers: TransferManager
}

export function transferCalls({ transfers }: TransferDependencies): AreaHandlers<'transfers'> {
  return {
    'transfers.list': () => transfers.list(),
    'transfers.items': (input) => transfers.items(input),
    'transfers.download': (input) => transfers.download(input),
    'transfers.copy': (input) => transfers.copy(input),
    'transfers.pause': ({ transferId }) => transfers.pause(transferId),
    'transfers.resume': ({ transferId }) => transfers.resume(transferId),
    'transfers.cancel': ({ transferId }) => transfers.cancel(transferId),
    'transfers.retry': ({ transferId }) => transfers.retry(transferId),
    'transfers.reorder': (input) => transfers.reorder(input),
    'transfers.answer': (input) => transfers.answer(input),
    'transfers.clear': ({ transferId }) => transfers.clear(transferId),
    'transfers.limit': (input) => transfers.limit(input),
  }
}
