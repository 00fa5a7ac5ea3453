import type { InstalledRecords } from '../installed.ts'
import { does, newestFor } from './choose-java.ts'
import type { Javas } from './javas.ts'

/** The Java that a server is started with. */
export interface ServerJava {
  major: number
  /** The newest that does for its software; null: any newer one. */
  most: number | null
}

/** Which server is asked about, and what was chosen for it. */
interface OfServer {
  id: string
  softwareId: string
  /** Null: the one its version asks for. */
  javaMajor: number | null
}

/**
 * The Java that a server is started with the next time: the one that was chosen for it, else the smallest that does and is
 * here, else the one that would be fetched. Null where that is not known, or it runs on none.
 */
export async function javaOfServer(
  { id, softwareId, javaMajor }: OfServer,
  records: Pick<InstalledRecords, 'read'>,
  javas: Pick<Javas, 'here'>,
): Promise<ServerJava | null> {
  const installed = records.read(id)
  if (installed?.software !== softwareId) return null
  const { java } = installed
  const newest = java.exact ? java.major : newestFor(java.major)
  const most = newest === Infinity ? null : newest
  // The chosen one is fetched where it is not here.
  if (javaMajor !== null) return { major: javaMajor, most }
  const fitting = (await javas.here()).flatMap(({ major }) => (does(java, major) ? major : []))
  return { major: fitting.length > 0 ? Math.min(...fitting) : java.major, most }
}
