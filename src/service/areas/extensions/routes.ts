import type { z } from 'zod'
import {
  EXTENSIONS_MOST,
  extensions as operations,
  type PlannedChange,
} from '../../../contract/areas/extensions.ts'
import type { ExtensionChanges } from '../../../contract/areas/values/extension-changes.ts'
import type { FailureReason } from '../../../contract/declarations/errors.ts'
import { isoTime } from '../../base/clock.ts'
import { inServer, trashed } from '../../../extensions/folder/step.ts'
import { refusal, type Refusal, toldOf } from '../../../host/refusal.ts'
import { detailsView, iconView } from '../../../extensions/catalogs/views.ts'
import { answerWithAge } from '../../../extensions/requests/disk-cache.ts'
import { serve, type ServerInput, type ServiceApp } from '../../http/serve.ts'
import { Extensions, type ExtensionsPorts } from './extensions.ts'
import { enabledPath } from '../../../extensions/folder/jar-file.ts'
import * as refusals from '../../../extensions/folder/refusals.ts'
import {
  type ExtensionJar,
  extensionView,
  nameOf,
  versionOf,
} from '../../../extensions/installed/extension-jar.ts'
import type { ServerExtensions } from './server-extensions.ts'
import { chosenFor, planFor, wantedOf } from '../../../extensions/installed/planning.ts'
import { itemOf, mergedItems, toUndo } from '../../../extensions/folder/undo.ts'
import { updatesOf } from '../../../extensions/installed/updates.ts'
import type { State } from '../../../extensions/folder/change.ts'

const PAGE = 20

export function mountExtensions(app: ServiceApp, ports: ExtensionsPorts): Extensions {
  const extensions = new Extensions(ports)
  mountInstalled(app, extensions)
  mountChanges(app, extensions, ports)
  mountCatalogs(app, extensions, ports)
  return extensions
}

function mountInstalled(app: ServiceApp, extensions: Extensions): void {
  serve(app, operations.list, async ({ server, query }) => {
    const all = await (await extensions.of(server.id)).list()
    const from = query.cursor === undefined ? 0 : fromCursor(query.cursor)
    const to = from + (query.limit ?? EXTENSIONS_MOST)
    return {
      items: all.slice(from, to).map(extensionView),
      nextCursor: to < all.length ? toCursor(to) : null,
    }
  })

  serve(app, operations.change, async ({ server, params, body, checkAgain, logTarget }) => {
    extensions.installs.requireIdle(server.id)
    const of = await extensions.of(server.id)
    const found = await of.find(params.extensionId)
    checkAgain()
    logTarget(nameOf(found))
    if (body.pinned !== undefined) of.pin(found.id, body.pinned)
    const { enabled } = body
    if (enabled !== undefined && enabled !== found.enabled)
      await of.commit(
        (jars) => {
          const from = found.jar.path
          const to = enabled ? enabledPath(from) : `${from}.disabled`
          if (jars.get(from)?.mark !== found.jar.mark) throw refusals.notInstalled()
          if (jars.has(to)) throw refusals.nameTaken(to.split('/').at(-1)!)
          const { mark, size } = found.jar
          return {
            items: itemsOf(found, 'switched'),
            steps: [{ from: inServer(from), to: inServer(to), mark, size }],
          }
        },
        idle(extensions, server, checkAgain),
      )
    return extensionView(await of.find(found.id))
  })

  serve(app, operations.remove, async ({ server, params, checkAgain, logTarget }) => {
    extensions.installs.requireIdle(server.id)
    const of = await extensions.of(server.id)
    const found = await of.find(params.extensionId)
    logTarget(nameOf(found))
    await of.commit(
      (jars) => {
        const { path, mark, size } = found.jar
        if (jars.get(path)?.mark !== mark) throw refusals.notInstalled()
        return {
          items: itemsOf(found, 'removed'),
          steps: [{ from: inServer(path), to: trashed(of.newTrash()()), mark, size }],
        }
      },
      idle(extensions, server, checkAgain),
    )
  })
}

const idle = (extensions: Extensions, server: ServerInput['server'], checkAgain: () => void) => () => {
  extensions.installs.requireIdle(server.id)
  checkAgain()
}

const itemsOf = (found: ExtensionJar, did: 'switched' | 'removed') => {
  const version = versionOf(found)
  return [itemOf(nameOf(found), version, did === 'removed' ? null : version, did)]
}

function mountChanges(app: ServiceApp, extensions: Extensions, ports: ExtensionsPorts): void {
  serve(app, operations.changes, async ({ server }) =>
    changesView(extensions, server.id, await extensions.of(server.id)),
  )

  serve(app, operations.install, ({ server, body, checkAgain, logTarget }) => {
    if (!ports.catalogs) throw refusals.noCatalog()
    const choose = (of: ServerExtensions, signal: AbortSignal) => chosenFor(of, ports, body.items, signal)
    extensions.installs.begin(server.id, choose, checkAgain)
    logTarget(...body.items.map(({ project }) => extensions.names.get(project) ?? project))
    return { accepted: true }
  })

  serve(app, operations.adopt, async ({ caller, server, body, checkAgain, logTarget }) => {
    const { sent, all } = ports
    sent.require(caller.accountId, body.importId)
    const letGo = sent.hold(body.importId)
    let added: ExtensionJar[]
    try {
      const names = [...new Set(body.names)]
      logTarget(...names)
      added = await extensions.installs.adopt(server.id, all.of(body.importId), names, checkAgain)
    } finally {
      letGo()
    }
    await sent.endUnused(body.importId)
    return { items: added.map(extensionView) }
  })

  serve(app, operations.cancel, ({ server }) => extensions.installs.cancel(server.id))

  serve(app, operations.undo, async ({ server, query, checkAgain }) => {
    extensions.installs.requireIdle(server.id)
    const of = await extensions.of(server.id)
    const check = idle(extensions, server, checkAgain)
    const how = query.newest === undefined ? 'all' : 'newest'
    await (query.path === undefined ? of.undo(check, how) : of.undoJar(query.path, check))
    return changesView(extensions, server.id, of)
  })

  serve(app, operations.updates, async ({ server, signal }) => {
    const of = await extensions.of(server.id)
    return await updatesOf(of, ports, signal)
  })

  serve(app, operations.plan, async ({ server, query, signal }) => {
    const of = await extensions.of(server.id)
    const { plan, unreached } = await planFor(of, ports, wantedOf(query), signal)
    for (const { change } of plan.steps) if (change.project) extensions.names.set(change.project, change.name)
    const changes = plan.steps.map(({ change }) => change as z.input<typeof PlannedChange>)
    return { changes, total: plan.total, unreached }
  })
}

function mountCatalogs(app: ServiceApp, { names }: Extensions, { catalogs }: ExtensionsPorts): void {
  const all = () => {
    if (!catalogs) throw refusals.noCatalog()
    return catalogs.catalogs
  }

  serve(app, operations.search, async ({ query: { query, ...asked }, signal, c }) => {
    const { software, version, sort = 'relevance', category = null, limit = PAGE, cursor = null } = asked
    const page = { sort, category, limit, cursor }
    const ask = () => all().search(query, { software, version }, page, signal)
    const { items, nextCursor } = await answerWithAge(c, ask)
    for (const { id, name } of items) names.set(id, name)
    return { items, nextCursor }
  })

  serve(app, operations.details, async ({ query: { project, ...target }, signal }) => {
    const details = await all().of(project).details(project, target, signal)
    names.set(project, details.name)
    return detailsView(details)
  })

  serve(app, operations.icon, async ({ query: { project }, signal }) =>
    iconView(await all().of(project).icon(project, signal)),
  )
}

async function changesView(
  extensions: Extensions,
  serverId: string,
  of: ServerExtensions,
): Promise<z.input<typeof ExtensionChanges>> {
  const running = extensions.installs.running(serverId)
  const { error, firstRun, waiting, untried } = of.state
  const changes = toUndo(of.state)
  const newest = changes.at(-1)
  const isIdle = running === null
  const isAlone = isIdle && changes.length > 1 && newest && (await of.isUndoable([newest]))
  return {
    running: running && {
      ...{ done: running.done, total: running.total, at: isoTime(running.at) },
      waiting: running.waits.now && toldOf(running.waits.now),
    },
    last:
      newest || error
        ? {
            at: isoTime(newest?.at ?? error!.at),
            items: mergedItems(changes),
            undoable: isIdle && (await of.isUndoable(changes)),
            ...(isAlone && { newest: { items: newest.items } }),
            crashedSince: waiting.length === 0 && firstRun === 'crashed' && untried.length > 0,
            error: error && {
              ...whyOf(error),
              ...{ items: error.items ?? [], unfinished: error.unfinished ?? false },
            },
          }
        : null,
  }
}

const toCursor = (at: number): string => Buffer.from(String(at)).toString('base64url')

function fromCursor(cursor: string): number {
  const at = Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isInteger(at) || at < 0) throw badCursor()
  return at
}

function badCursor(): Refusal {
  return refusal(422, 'request.invalid.cursor').at('cursor')
}

function whyOf({
  code,
  message,
  sentence,
  values,
}: NonNullable<State['error']>): z.input<typeof FailureReason> {
  return { code, message, ...(sentence && values && { sentence, values }) }
}
