import type { z } from 'zod'
import { PassThrough, Readable } from 'node:stream'
import type { extensions as declared, PlannedChange } from '../../contract/areas/extensions.ts'
import type { ExtensionChanges } from '../../contract/areas/values/extension-changes.ts'
import { enabledPath } from '../../extensions/folder/jar-file.ts'
import * as refusals from '../../extensions/folder/refusals.ts'
import { inServer, trashed } from '../../extensions/folder/step.ts'
import { itemOf } from '../../extensions/folder/undo.ts'
import { extensionView, nameOf, versionOf } from '../../extensions/installed/extension-jar.ts'
import { chosenFor, planFor, wantedOf } from '../../extensions/installed/planning.ts'
import { updatesOf } from '../../extensions/installed/updates.ts'
import { type HostCall, type HostEvent, type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { HostExtensions } from './host-extensions.ts'
import type { RemoteExtensions } from './remote-extensions.ts'
import { newTrash } from './remote-steps.ts'
import { catalogOperations } from './catalog-operations.ts'

type Call = Pick<HostCall<typeof declared.list>, 'key' | 'signal' | 'params'>

/**
 * An adapter's operations with those of plugins and mods, in place: its scopes follow from them. A server tells its
 * software, where its files do.
 */
export function withExtensions(
  operations: HostOperations,
  extensions: HostExtensions | null,
): HostOperations {
  if (!extensions) return operations
  const { 'servers.read': read, 'console.events': events } = operations
  return Object.assign(operations, {
    ...installedOf(extensions),
    ...changesOf(extensions),
    ...planningOf(extensions),
    ...catalogOperations(extensions.ports.catalogs),
    ...(read && { 'servers.read': withSoftware(read, extensions) }),
    ...(events && { 'console.events': withExtensionEvents(events, extensions) }),
  } satisfies HostOperations)
}

type Handlers = Required<HostOperations>

/** Changes that a reader who doesn't keep up is told at most. */
const EVENTS_MOST = 100

const withSoftware =
  (read: Handlers['servers.read'], extensions: HostExtensions): Handlers['servers.read'] =>
  async (call) => {
    const server = await read(call)
    const { role } = server
    if (!Array.isArray(role) || !role.includes('extensions.read')) return server
    return { ...server, software: await extensions.software(call.params.serverId, call) }
  }

const open = (extensions: HostExtensions, call: Call, how?: { isStrict: boolean }) =>
  extensions.of(call.params.serverId, call, how)

const installedOf = (extensions: HostExtensions): HostOperations => ({
  'extensions.list': async (call) => {
    const all = await (await open(extensions, call)).list()
    return { items: all.map(extensionView), nextCursor: null }
  },
  'extensions.change': async (call) => {
    const { params, body } = call
    extensions.installs.requireIdle(params.serverId)
    const of = await open(extensions, call)
    const found = await of.find(params.extensionId)
    if (body.pinned !== undefined) of.pin(found.id, body.pinned)
    const { enabled } = body
    if (enabled !== undefined && enabled !== found.enabled)
      await of.commit((jars) => {
        const { path: from, mark, size } = found.jar
        const to = enabled ? enabledPath(from) : `${from}.disabled`
        if (jars.get(from)?.mark !== mark) throw refusals.notInstalled()
        if (jars.has(to)) throw refusals.nameTaken(to.split('/').at(-1)!)
        const version = versionOf(found)
        return {
          items: [itemOf(nameOf(found), version, version, 'switched')],
          steps: [{ from: inServer(from), to: inServer(to), mark, size }],
        }
      })
    return extensionView(await of.find(found.id))
  },
  'extensions.remove': async (call) => {
    const { serverId, extensionId } = call.params
    extensions.installs.requireIdle(serverId)
    const of = await open(extensions, call)
    const found = await of.find(extensionId)
    await of.commit((jars) => {
      const { path, mark, size } = found.jar
      if (jars.get(path)?.mark !== mark) throw refusals.notInstalled()
      return {
        items: [itemOf(nameOf(found), versionOf(found), null, 'removed')],
        steps: [{ from: inServer(path), to: trashed(newTrash()), mark, size }],
      }
    })
  },
})

const changesOf = (extensions: HostExtensions): HostOperations => ({
  'extensions.changes': async (call) => changesView(extensions, call, await open(extensions, call)),
  'extensions.cancel': (call) => extensions.installs.cancel(call.params.serverId),
  'extensions.undo': async (call) => {
    const { serverId } = call.params
    extensions.installs.requireIdle(serverId)
    const of = await open(extensions, call)
    await of.undo(call.query.path ?? null)
    return changesView(extensions, call, of)
  },
})

const planningOf = (extensions: HostExtensions): HostOperations => {
  const { catalogs } = extensions.ports
  const ports = { catalogs: catalogs && { catalogs }, clock: { now: Date.now } }
  const known = async (call: Call) => {
    const of = await open(extensions, call, { isStrict: true })
    requireTarget(of)
    return of
  }
  return {
    'extensions.updates': async (call) => {
      const of = await open(extensions, call)
      return of.isTargetKnown ? updatesOf(of, ports, call.signal) : { items: [] }
    },
    'extensions.plan': async (call) => {
      const { plan, unreached } = await planFor(await known(call), ports, wantedOf(call.query), call.signal)
      const changes = plan.steps.map(({ change }) => change as z.input<typeof PlannedChange>)
      return { changes, total: plan.total, unreached }
    },
    'extensions.install': async (call) => {
      if (!catalogs) throw refusals.noCatalog()
      const { serverId } = call.params
      extensions.installs.requireIdle(serverId)
      const place = await extensions.lasting(serverId, call)
      requireTarget(place.extensions)
      extensions.installs.begin(place, (signal) =>
        chosenFor(place.extensions, ports, call.body.items, signal),
      )
      return { accepted: true }
    },
  }
}

function requireTarget({ isTargetKnown }: RemoteExtensions): void {
  if (!isTargetKnown) throw hostRefusal(409, 'host.software-unknown')
}

async function changesView(
  extensions: HostExtensions,
  { params: { serverId } }: Call,
  of: RemoteExtensions,
): Promise<z.input<typeof ExtensionChanges>> {
  const running = extensions.installs.running(serverId)
  const { last, error, pending } = of.record.state
  return {
    running: running && {
      ...{ done: Math.round(running.done), total: running.total, at: isoTime(running.at) },
    },
    last:
      last || error
        ? {
            at: isoTime(last?.at ?? error!.at),
            items: last?.items ?? [],
            undoable: running === null && (await of.isUndoable()),
            crashedSince: false,
            error: error && { ...error, items: [], unfinished: pending !== null },
          }
        : null,
  }
}

const isoTime = (ms: number): string => new Date(ms).toISOString()

const withExtensionEvents =
  (events: Handlers['console.events'], extensions: HostExtensions): Handlers['console.events'] =>
  async (call) => {
    const servers = new Set(call.query.servers.split(','))
    const out = new PassThrough({ objectMode: true })
    const source = Readable.from(await events(call))
    const stop = extensions.listen((serverId, reads) => {
      if (servers.has(serverId) && out.writableLength < EVENTS_MOST)
        out.write({ event: 'changed', data: { serverId, reads: [...reads] } })
    })
    // Until somebody reads it.
    out.on('error', () => undefined)
    source.on('error', (error) => out.destroy(error))
    out.once('close', () => {
      stop()
      source.destroy()
    })
    source.pipe(out)
    return out as AsyncIterable<HostEvent>
  }
