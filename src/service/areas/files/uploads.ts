import { files as operations } from '../../../contract/areas/files.ts'
import type { AgingClock } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { tagOf } from '../../files/names/entry.ts'
import { serve, serveBelow, type SubresourceInput, type ServiceApp } from '../../http/serve.ts'
import { answerTus } from '../../files/uploads/answer-tus.ts'
import { createHasher } from '../../files/uploads/hasher.ts'
import { UploadLocks, Senders } from '../../files/uploads/locks.ts'
import { receiveForm } from '../../files/uploads/multipart.ts'
import { finalPath, TUS } from '../../files/uploads/tus-answers.ts'
import { createTus } from '../../files/uploads/tus.ts'
import { UploadStore } from '../../files/uploads/upload-store.ts'

interface UploadParts {
  files: AllServerFiles
  clock: AgingClock
  serverIds: () => string[]
  isThere: (serverId: string) => boolean
}

interface Uploads {
  /** Aborts uploads to a server before its folder is deleted. */
  breakOff(serverId: string): Promise<void>
  sweep(): Promise<void>
  close(): Promise<void>
}

const SWEEP_MS = 60 * 60 * 1000

/** Mounts tus 1.0 and simple uploads at `/servers/files/upload/:serverId`. */
export function mountUploads(app: ServiceApp, { files, clock, serverIds, isThere }: UploadParts): Uploads {
  const hasher = createHasher()
  const store = new UploadStore(hasher, clock, app.gates.bounds)
  const locks = new UploadLocks()
  const tus = createTus(store, locks, clock)
  const senders = new Senders()
  const belowTus = (given: SubresourceInput) => answerTus({ files, tus, senders }, given)

  serve(app, operations.upload, async (given) => {
    const { c, server, checkAgain, logTarget } = given
    if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? '')) {
      return (await belowTus(given)) as never
    }
    const own = files.of(server.id)
    const { incoming } = c.env
    const committed = await senders.sending(
      server.id,
      () => void incoming.destroy(),
      () => receiveForm(incoming, own, store, hasher, checkAgain),
    )
    logTarget(committed.path)
    c.header('ETag', tagOf(committed.stat))
    c.header('Upload-Final-Path', finalPath(committed.path))
    return { entry: committed.entry, running: own.running }
  })
  serveBelow(app, operations.upload, { answer: belowTus, options: TUS })

  async function sweep(): Promise<void> {
    for (const serverId of serverIds()) {
      if (!isThere(serverId)) continue
      await store
        .sweep(files.of(serverId), (id) => locks.isHeld(id))
        .catch((error: unknown) => app.log.warn({ err: error, serverId }, 'uploads could not be swept'))
    }
  }
  const sweepBehind = () =>
    void sweep().catch((error: unknown) => app.log.warn({ err: error }, 'uploads could not be swept'))
  const sweeping = setInterval(sweepBehind, SWEEP_MS)
  sweeping.unref()
  sweepBehind()

  return {
    breakOff: (serverId) => senders.breakOff(serverId),
    sweep,
    async close() {
      clearInterval(sweeping)
      await hasher.close()
    },
  }
}
