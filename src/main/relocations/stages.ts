import type { Readable } from 'node:stream'
import { api } from '../../contract/areas/index.ts'
import type { Transfer, Transfers } from '../../contract/bridge/transfer-values.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { hostKindOf } from '../../contract/rules/hosts.ts'
import type { ApiClient } from '../api/client.ts'
import { patiently } from '../api/patience.ts'
import { PanelProblem, problem } from '../base/problem.ts'
import type { Clock } from '../base/retry.ts'
import { holds } from '../transfers/send/verify-upload.ts'
import type { TransferManager } from '../transfers/transfers.ts'
import { PROPERTIES, readPlace, readText, settledProperties } from './place-settings.ts'
import type { RelocationRecord } from './relocation-records.ts'
import { listServer, namesMoved, rootEntries } from './server-tree.ts'

/** Files that are compared at once. */
const AT_ONCE = 4
/** Of what differs; the rest is counted. */
const NAMED_MOST = 20
const WAIT_MS = 10 * 60_000

export interface StagePorts {
  client: (connectionId: string) => ApiClient
  transfers: Pick<TransferManager, 'copy' | 'list' | 'retry'>
  /** Calls back whenever transfers change. */
  onTransfers: (heard: (now: Transfers) => void) => () => void
  clock: Clock
}

/** One relocation while it runs. `changed` tells what isn't needed to go on later; `save` keeps what is. */
export interface RunningRelocation {
  record: RelocationRecord
  signal: AbortSignal
  changed: () => Promise<void>
  save: () => Promise<void>
}

const clientsOf = ({ client }: StagePorts, { from, to }: RelocationRecord) => ({
  source: client(from.connectionId),
  target: client(to.connectionId),
})

/** A host may want its requests slower than they come. */
const patient = <T>({ clock }: StagePorts, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  patiently(work, { clock, signal, most: 8, within: WAIT_MS })

/** Nothing is changed yet: the folders are two, the server can be listed, and there is room for it. */
export async function listing(ports: StagePorts, running: RunningRelocation): Promise<void> {
  const { record, signal, changed } = running
  const { source, target } = clientsOf(ports, record)
  await patient(ports, signal, () => refuseOneFolder(ports, running))
  const found = (files: number) => {
    record.done = files
    void changed()
  }
  const tree = await patient(ports, signal, () => listServer(source, record.from.serverId, signal, found))
  if (tree.files.size === 0)
    throw problem('incompatible', localized('relocation.nothing'), { retryable: true })
  record.leftOut = tree.leftOut
  let needed = 0
  for (const size of tree.files.values()) needed += size
  const params = { serverId: record.to.serverId }
  const { value } = await target.send(api.files.limits, { params }, { signal }).catch(unlessUnknown)
  const room = roomIn(value, record.empties)
  if (needed > room)
    throw problem('too-large', localized('relocation.no-room', { needed, free: room }), { retryable: true })
}

/** Two connections may lead to one server, such as a panel's and its SFTP. A file that is put there tells. */
async function refuseOneFolder(ports: StagePorts, { record, signal }: RunningRelocation): Promise<void> {
  const { source, target } = clientsOf(ports, record)
  const params = { serverId: record.to.serverId }
  const path = `wheelhouse-move-${record.id}.txt`
  await target.send(api.files.write, { params, query: { path } }, { signal, content: Buffer.from(record.id) })
  try {
    const entries = await rootEntries(source, record.from.serverId, signal)
    if (entries.some(({ name }) => name === path))
      throw problem('incompatible', localized('relocation.same'), { retryable: false })
  } finally {
    await target.send(api.files.remove, { params, body: { paths: [path] } })
  }
}

function unlessUnknown(error: unknown): { value: Record<string, never> } {
  const code = error instanceof PanelProblem ? error.problem.code : null
  if (code === 'unavailable' || code === 'not-found') return { value: {} }
  throw error
}

interface Room {
  quotaBytes?: number | null | undefined
  usedBytes?: number | null | undefined
  freeBytes?: number | null | undefined
}

/** Bytes; without limit where the other side tells none. */
function roomIn({ quotaBytes, usedBytes, freeBytes }: Room, empties: boolean): number {
  const used = usedBytes ?? 0
  const ofQuota = typeof quotaBytes === 'number' ? quotaBytes - (empties ? 0 : used) : Infinity
  const ofDisk = typeof freeBytes === 'number' ? freeBytes + (empties ? used : 0) : Infinity
  return Math.max(0, Math.min(ofQuota, ofDisk))
}

/** Its settings stay: they know the place. Hidden files do too: the folder may be somebody's home. */
export async function emptying(ports: StagePorts, running: RunningRelocation): Promise<void> {
  const { record, signal, save } = running
  if (!record.empties) return
  const { target } = clientsOf(ports, record)
  const { serverId } = record.to
  const names = (await rootEntries(target, serverId, signal)).map(({ name }) => name)
  const doomed = names.filter((name) => name !== PROPERTIES && !name.startsWith('.'))
  if (doomed.length > 0 && !record.emptied && !names.includes(PROPERTIES))
    throw problem('conflict', localized('relocation.no-server'), { retryable: false })
  record.emptied = true
  await save()
  for (const path of doomed) {
    const input = { params: { serverId }, body: { paths: [path] } }
    const { value } = await patient(ports, signal, () => target.send(api.files.remove, input, { signal }))
    const [result] = value?.results ?? []
    if (result?.outcome === 'failed')
      throw problem('conflict', localized('relocation.not-deleted', { name: path }), { retryable: true })
  }
}

/** By the transfers, which go on after a cut and compare what arrived. */
export async function copying(ports: StagePorts, running: RunningRelocation): Promise<void> {
  const { record, signal, save } = running
  const { source } = clientsOf(ports, record)
  const { from, to } = record
  const known = await transferOf(ports, record)
  if (known?.state === 'failed') await ports.transfers.retry(known.id)
  if (!known || known.state === 'cancelled') {
    const paths = namesMoved(await rootEntries(source, from.serverId, signal))
    // With settings alone there is nothing to copy.
    if (paths.length === 0) return
    const { transferId } = await ports.transfers.copy({ from, paths, to: { ...to, folder: '' } }, 'replace')
    record.transferId = transferId
    await save()
  }
  const { state, problem: why } = await transferEnded(ports, running)
  if (state === 'done') return
  if (state === 'cancelled') throw new Cancellation()
  throw why ? new PanelProblem(why) : problem('conflict', localized('relocation.transfer-failed'))
}

/** Somebody canceled it in the list of transfers. */
export class Cancellation extends Error {}

async function transferOf({ transfers }: StagePorts, { transferId }: RelocationRecord) {
  const { items } = await transfers.list()
  return items.find(({ id }) => id === transferId)
}

function transferEnded(ports: StagePorts, { record, signal }: RunningRelocation): Promise<Transfer> {
  return new Promise((resolve, reject) => {
    const look = ({ items }: Pick<Transfers, 'items'>) => {
      const found = items.find(({ id }) => id === record.transferId)
      if (found && found.endedAt === null) return
      stop()
      signal.removeEventListener('abort', ended)
      if (found) resolve(found)
      else reject(problem('conflict', localized('relocation.transfer-gone'), { retryable: true }))
    }
    const ended = () => {
      stop()
      reject(signal.reason as Error)
    }
    const stop = ports.onTransfers(look)
    signal.addEventListener('abort', ended, { once: true })
    ports.transfers.list().then(look, reject)
  })
}

export async function settling(ports: StagePorts, { record, signal }: RunningRelocation): Promise<void> {
  const { source, target } = clientsOf(ports, record)
  // Whatever its encoding is, its bytes stay.
  const text = await readText(source, record.from.serverId, PROPERTIES, 'latin1')
  if (text === null) return
  const { serverId } = record.to
  const there = await readText(target, serverId, PROPERTIES)
  const { port } = await readPlace(target, serverId)
  const content = Buffer.from(settledProperties(text, there, port), 'latin1')
  if (content.toString() === there) return
  const input = { params: { serverId }, query: { path: PROPERTIES } }
  await target.send(api.files.write, input, { signal, content })
}

/** Every file is there with its size; where the other side hasn't compared what it received, its bytes are read. */
export async function checking(ports: StagePorts, running: RunningRelocation): Promise<void> {
  const { record, signal, changed } = running
  const { source, target } = clientsOf(ports, record)
  const none = () => undefined
  const [ours, theirs] = await Promise.all([
    patient(ports, signal, () => listServer(source, record.from.serverId, signal, none)),
    patient(ports, signal, () => listServer(target, record.to.serverId, signal, none)),
  ])
  Object.assign(record, { done: 0, total: ours.files.size, different: [], differentCount: 0 })
  const readsBack = !comparesUploads(target.baseUrl)
  const { serverId } = record.from
  const original = async (path: string): Promise<Readable> =>
    (await source.open(api.files.read, { params: { serverId }, query: { path } }, { signal })).stream
  const waiting = ours.files.entries()
  const work = async () => {
    for (const [path, size] of waiting) {
      signal.throwIfAborted()
      const at = { serverId: record.to.serverId, path }
      const isSame =
        theirs.files.get(path) === size && (!readsBack || (await holds(target, at, () => original(path))))
      if (!isSame && ++record.differentCount <= NAMED_MOST) record.different.push(path)
      record.done++
      void changed()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (record.differentCount === 0) return
  // To try again is to copy again.
  Object.assign(record, { stage: 'copying', transferId: null })
  throw problem('incompatible', localized('relocation.differs', { count: record.differentCount }))
}

/** SFTP's adapter reads back what it wrote, and services compare what they receive; the others don't tell. */
const comparesUploads = (baseUrl: string): boolean => [null, 'sftp'].includes(hostKindOf(baseUrl))
