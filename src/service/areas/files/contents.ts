import { lstatSync, mkdirSync, type BigIntStats } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { z } from 'zod'
import type { WrittenFile } from '../../../contract/areas/values/file-values.ts'
import { files as operations } from '../../../contract/areas/files.ts'
import { splitLast } from '../../../contract/rules/paths.ts'
import { fileEntryOf, tagOf } from '../../files/names/entry.ts'
import { answerFolder, listFolder } from '../../files/list-folder.ts'
import { exists, isFolder, notFolder, notFound, refusing } from '../../files/names/refusals.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { writeBatch } from '../../files/batch/batch.ts'
import { answerContent, matchesTag } from '../../files/write/content.ts'
import { receive } from '../../files/write/receive-body.ts'
import { refusal } from '../../../host/refusal.ts'
import { serve, type RequestContext, type ServiceApp } from '../../http/serve.ts'
import type { ActionContextFactory } from './routes.ts'

export function mountFileContents(app: ServiceApp, deskOf: ActionContextFactory): void {
  serve(app, operations.list, ({ query, c, ...at }) => {
    const { files } = deskOf(at)
    // For HEAD nobody would read the stream, so it would never end.
    const answer = c.req.raw.method === 'HEAD' ? listFolder : answerFolder
    return answer(files, query.path ?? '', query)
  })

  serve(app, operations.read, async ({ query, c, ...at }) => {
    const file = await deskOf(at).files.openRead(query.path)
    return answerContent(file, { method: c.req.raw.method, header: (name) => c.req.header(name) })
  })

  serve(app, operations.write, async ({ query: { path }, c, ...at }) => {
    const { files } = deskOf(at)
    const check = (there: BigIntStats | null) => {
      at.checkAgain()
      checkConditions(c, path, there)
    }
    const there = files.find(path)
    check(there)
    const temp = await receive(files, c.env.incoming, path, there?.isFile() ? Number(there.size) : 0)
    try {
      const { stat } = await files.commit(temp, path, { conflict: 'replace', check })
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
      using located = files.locate(path, { make: true })
      const there = lstatSync(located.at, { bigint: true, throwIfNoEntry: false })
      if (there && conflict !== 'skip') throw exists(path)
      if (!there) mkdirSync(located.at)
      const stat = lstatSync(located.at, { bigint: true })
      if (!stat.isDirectory()) throw notFolder(path)
      return written(files, path, stat)
    }),
  )
}

const written = (files: ServerFiles, path: string, stat: BigIntStats): z.input<typeof WrittenFile> => ({
  entry: fileEntryOf(splitLast(path).name, stat),
  running: files.running,
})

/** Handles `If-Match` and `If-None-Match: *`. */
function checkConditions(c: RequestContext, path: string, there: BigIntStats | null): void {
  if (there?.isDirectory()) throw isFolder(path)
  const expected = c.req.header('if-match')
  if (expected !== undefined) {
    if (!there) throw notFound(path)
    const tag = tagOf(there)
    if (!matchesTag(expected, tag)) throw refusal(412, 'files.changed').with({ ETag: tag })
  }
  if (there && c.req.header('if-none-match')?.trim() === '*') throw exists(path)
}
