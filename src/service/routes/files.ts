import { lstatSync, mkdirSync, type BigIntStats } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { z } from 'zod'
import type { WrittenFile } from '../../contract/areas/file-values.ts'
import { files as operations } from '../../contract/areas/files.ts'
import type { AgeingClock } from '../clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { BATCH, writeBatch } from '../files/write/batch.ts'
import { answerContent, matchesTag } from '../files/write/content.ts'
import { entryOf, tagOf } from '../files/entry.ts'
import {
  copyItem,
  type Desk,
  errorOf,
  moveItem,
  restoreItem,
  type Result,
  resultOf,
  trashItem,
} from '../files/item-actions.ts'
import { answerFolder, listFolder } from '../files/list-folder.ts'
import { splitLast } from '../../contract/pure/paths.ts'
import { receive } from '../files/write/receive-body.ts'
import { cancelled, exists, isFolder, notFolder, notFound, refusing } from '../files/refusals.ts'
import type { ServerFiles } from '../files/server-files.ts'
import { sweepFiles } from '../files/sweep.ts'
import { Trash, TRASH_DAYS } from '../files/trash.ts'
import { Turns } from '../files/safe-fs/yield.ts'
import { Refusal } from '../refusal.ts'
import { serve, type GivenServer, type RequestContext, type ServiceApp } from '../serve.ts'

export interface FileRoutes {
  all: AllServerFiles
  clock: AgeingClock
  /** The servers there are when the service starts. */
  serverIds: string[]
}

/** Mounts the file area but for uploads, archives and search. */
export function mountFiles(app: ServiceApp, { all, clock, serverIds }: FileRoutes): void {
  sweepFiles(all, serverIds, clock, app.log)
  const deskOf = ({ server, checkAgain }: GivenServer): Desk => {
    const files = all.of(server.id)
    return { files, trash: new Trash(files, clock), log: app.log, checkAgain }
  }
  /** What there is of a path after it was written. */
  const written = (files: ServerFiles, path: string, stat: BigIntStats): z.input<typeof WrittenFile> => ({
    entry: entryOf(splitLast(path).name, stat),
    running: files.running,
  })

  serve(app, operations.list, ({ query, c, ...at }) => {
    const { files } = deskOf(at)
    // Of HEAD nobody would read the pieces, and so nobody would end them.
    const answer = c.req.raw.method === 'HEAD' ? listFolder : answerFolder
    return answer(files, query.path ?? '', query)
  })

  serve(app, operations.read, async ({ query, c, ...at }) => {
    const file = await deskOf(at).files.openRead(query.path)
    return answerContent(file, { method: c.req.raw.method, header: (name) => c.req.header(name) })
  })

  serve(app, operations.write, async ({ query: { path }, c, ...at }) => {
    const { files } = deskOf(at)
    // Looked at before the body is taken, and again at the last moment.
    const check = (there: BigIntStats | null) => {
      at.checkAgain()
      checkConditions(c, path, there)
    }
    const there = await thereAt(files, path)
    check(there)
    const temp = await receive(files, c.env.incoming, path, there?.isFile() ? Number(there.size) : 0)
    try {
      const { stat } = await files.place(temp, path, { conflict: 'replace', check })
      c.header('ETag', tagOf(stat))
      return written(files, path, stat)
    } finally {
      await rm(temp, { force: true })
    }
  })

  serve(app, operations.batch, async ({ query, c, ...at }) => {
    const desk = deskOf(at)
    return {
      results: await writeBatch(desk, c.env.incoming, query.conflict ?? 'refuse'),
      running: desk.files.running,
    }
  })

  serve(app, operations.folder, ({ body: { path, conflict }, ...at }) =>
    refusing(path, () => {
      const { files } = deskOf(at)
      using place = files.locate(path, { make: true })
      const there = lstatSync(place.at, { bigint: true, throwIfNoEntry: false })
      if (there && conflict !== 'skip') throw exists(path)
      if (!there) mkdirSync(place.at)
      const stat = lstatSync(place.at, { bigint: true })
      if (!stat.isDirectory()) throw notFolder(path)
      return written(files, path, stat)
    }),
  )

  serve(app, operations.move, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const turns = new Turns()
    for (const { from, to } of body.items) {
      await turns.next()
      results.push(await resultOf(desk.log, from, () => moveItem(desk, from, to, body.conflict ?? 'refuse')))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.copy, async ({ body, signal, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const turns = new Turns()
    for (const { from, to } of body.items) {
      await turns.next()
      if (signal.aborted) throw cancelled()
      const copy = () => copyItem(desk, from, to, body.conflict ?? 'refuse', signal)
      results.push(await resultOf(desk.log, from, copy))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.remove, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const call = desk.trash.newCall()
    const results: Result[] = []
    const trash = []
    const turns = new Turns()
    for (const [number, path] of body.paths.entries()) {
      await turns.next()
      try {
        trash.push(await trashItem(desk, path, call, number))
        results.push({ path, outcome: 'done' })
      } catch (error) {
        results.push({ path, outcome: 'failed', error: errorOf(desk.log, error, path) })
      }
    }
    // Nobody waits for the emptying, and nothing is lost where it fails: the next one does it.
    desk.trash.sweep().catch((error: unknown) => desk.log.warn({ err: error }, 'the trash was not swept'))
    return { results, running: desk.files.running, trash }
  })

  serve(app, operations.trash, async (at) => ({
    items: await deskOf(at).trash.list(),
    nextCursor: null,
  }))

  serve(app, operations.restore, async ({ body, ...at }) => {
    const desk = deskOf(at)
    const results: Result[] = []
    const turns = new Turns()
    for (const id of body.ids) {
      await turns.next()
      results.push(await resultOf(desk.log, id, () => restoreItem(desk, id, body.conflict ?? 'refuse')))
    }
    return { results, running: desk.files.running }
  })

  serve(app, operations.purge, ({ body, ...at }) => deskOf(at).trash.purge(body.ids))

  serve(app, operations.limits, async (at) => {
    const { files, trash } = deskOf(at)
    return {
      maxFileBytes: files.maxFileBytes,
      quotaBytes: files.space.quotaBytes,
      usedBytes: await files.space.used(),
      freeBytes: await files.space.free(),
      resumable: true,
      batch: BATCH,
      trash: { maxBytes: trash.maxBytes, maxDays: TRASH_DAYS },
    }
  })
}

/** What a path leads to, links followed; null where nothing is. */
async function thereAt(files: ServerFiles, path: string): Promise<BigIntStats | null> {
  return refusing(path, () => {
    try {
      using place = files.locate(path, { follow: true })
      return lstatSync(place.at, { bigint: true, throwIfNoEntry: false }) ?? null
    } catch (error) {
      if (error instanceof Refusal && error.code === 'files.not-found') return null
      throw error
    }
  })
}

/** `If-Match` and `If-None-Match: *` of a write. */
function checkConditions(c: RequestContext, path: string, there: BigIntStats | null): void {
  if (there?.isDirectory()) throw isFolder(path)
  const expected = c.req.header('if-match')
  if (expected !== undefined) {
    if (!there) throw notFound(path)
    const tag = tagOf(there)
    if (!matchesTag(expected, tag)) {
      const message = 'The file was changed in the meantime. Reload it, then make your change.'
      throw new Refusal(412, 'files.changed', message, { headers: { ETag: tag } })
    }
  }
  if (there && c.req.header('if-none-match')?.trim() === '*') throw exists(path)
}
