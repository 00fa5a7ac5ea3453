import type { Logger } from 'pino'
import { files as operations } from '../../../contract/areas/files.ts'
import type { Clock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { packArchive } from '../../files/archives/archive.ts'
import { extractArchive } from '../../files/archives/extract.ts'
import { JobRunner, type JobProgress } from '../../files/jobs.ts'
import { partsOf, requireDepth } from '../../files/names/names.ts'
import { Searches } from '../../files/searches.ts'
import { refusal } from '../../../host/refusal.ts'
import type { FileJobInput } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'

interface FileJobParts {
  files: AllServerFiles
  clock: Clock
  log: Logger
  tell: (serverId: string, job: FileJobInput) => void
}

const FINDS = 200

export function mountFileJobs(
  app: ServiceApp,
  parts: FileJobParts,
): Pick<JobRunner, 'endAll' | 'endOf' | 'close'> {
  const jobs = new JobRunner(parts, app.gates.bounds.jobs)
  const searches = new Searches()

  serve(app, operations.archive, async ({ caller, server, checkAgain, body }) => {
    const files = parts.files.of(server.id)
    files.find(body.to)
    // Report missing files now, not in a failed job.
    for (const path of body.paths) await files.stat(path)
    const wish = { ...body, conflict: body.conflict ?? 'refuse' }
    // Deletion may have begun meanwhile, and waits only for earlier jobs.
    checkAgain()
    const run = (progress: JobProgress) => packArchive(files, wish, progress)
    return jobs.start({ accountId: caller.accountId, serverId: server.id }, 'archive', body.to, run)
  })

  serve(app, operations.extract, async ({ caller, server, checkAgain, body }) => {
    const files = parts.files.of(server.id)
    // Extracted files are at least one level deeper.
    requireDepth([...partsOf(body.to), ''])
    await (await files.openRead(body.path)).handle.close()
    const wish = { ...body, conflict: body.conflict ?? 'refuse' }
    checkAgain()
    const run = (progress: JobProgress) => extractArchive(files, wish, progress)
    return jobs.start({ accountId: caller.accountId, serverId: server.id }, 'extract', body.path, run)
  })

  serve(app, operations.jobs, ({ server }) => ({
    items: jobs.list(server.id),
    nextCursor: null,
  }))

  serve(app, operations.cancel, ({ server, body }) => jobs.cancel(server.id, body.id))

  serve(app, operations.search, async ({ server, query, signal }) => {
    const files = parts.files.of(server.id)
    const { path = '', name = '', text = '', limit = FINDS } = query
    if (name === '' && text === '') throw refusal(422, 'request.invalid.what').at('name')
    return { items: await searches.run(files, { path, name, text, limit }, signal), nextCursor: null }
  })

  return {
    endAll: (serverId) => jobs.endAll(serverId),
    endOf: (serverId, accountId) => jobs.endOf(serverId, accountId),
    close: async () => void (await Promise.all([jobs.close(), searches.close()])),
  }
}
