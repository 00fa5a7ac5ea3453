import type { ServerFiles } from '../../../files/server-files.ts'
import type { ForeignContainer } from '../../../runtime/containers/foreign-container.ts'
import { UNKNOWN_VERSION } from '../../../software/custom-jar.ts'
import { CUSTOM } from '../../../software/installed.ts'
import { JAVA_KINDS } from '../../../software/java-kinds.ts'
import { recognizeServer } from '../recognize/recognize.ts'

const VERSION_MOST = 60
const LOOK_MS = 30_000
const kindIds: ReadonlySet<string> = new Set(JAVA_KINDS.map(({ id }) => id))

interface SoftwareFacts {
  softwareId: string
  softwareVersion: string
}

/** As its environment says; null where that is left to the container. */
export function softwareOf({ type, version }: ForeignContainer): {
  id: string | null
  version: string | null
} {
  const id = type?.toLowerCase() ?? ''
  return {
    id: kindIds.has(id) ? id : null,
    version: version !== null && /^\d/.test(version) ? version.slice(0, VERSION_MOST) : null,
  }
}

/** As its environment says, and else its files. */
export async function readSoftware(container: ForeignContainer, files: ServerFiles): Promise<SoftwareFacts> {
  const { id, version } = softwareOf(container)
  const found =
    id !== null && version !== null
      ? null
      : await recognizeServer(files, AbortSignal.timeout(LOOK_MS)).catch(() => null)
  const { id: foundId, version: foundVersion } = found?.found.software ?? {}
  return {
    softwareId: id ?? (foundId && kindIds.has(foundId) ? foundId : CUSTOM),
    softwareVersion: version ?? foundVersion?.slice(0, VERSION_MOST) ?? UNKNOWN_VERSION,
  }
}
