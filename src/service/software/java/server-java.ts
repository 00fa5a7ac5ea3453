import type { InstalledRecords } from '../installed.ts'
import { does, newestFor } from './choose-java.ts'
import type { ServerJava } from '../../../extensions/problems/java-problem.ts'
import type { Javas } from './javas.ts'

export type { ServerJava }

interface JavaUser {
  id: string
  softwareId: string
  javaMajor: number | null
}

/** The chosen one, else the smallest usable here, else the one to download. Null if unknown or none. */
export async function javaOfServer(
  { id, softwareId, javaMajor }: JavaUser,
  records: Pick<InstalledRecords, 'read'>,
  javas: Pick<Javas, 'here'>,
): Promise<ServerJava | null> {
  const installed = records.read(id)
  if (installed?.software !== softwareId) return null
  const { java } = installed
  const newest = java.exact ? java.major : newestFor(java.major)
  const most = newest === Infinity ? null : newest
  if (javaMajor !== null) return { major: javaMajor, most }
  const fitting = (await javas.here()).flatMap(({ major }) => (does(java, major) ? major : []))
  return { major: fitting.length > 0 ? Math.min(...fitting) : java.major, most }
}
