import { partsOf } from '../files/names.ts'
import { Refusal } from '../refusal.ts'
import { unsafe } from './refusals.ts'

const MOST_LENGTH = 500
const MOST_DEPTH = 20

/** The path of a file of a pack in the server's folder. Throws Refusal 422 `modpacks.unsafe` where it is none. */
export function packPath(path: string): string {
  const shown = JSON.stringify(path.slice(0, 100))
  if (path.length > MOST_LENGTH || path.includes('\\')) throw unsafe(`it names the path ${shown}`)
  try {
    const parts = partsOf(path)
    if (parts.length > 0 && parts.length <= MOST_DEPTH) return parts.join('/')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw unsafe(`it names the path ${shown}`)
}

/** Two paths of which systems that ignore case can hold only one. */
export const sameName = (path: string): string => path.normalize('NFC').toLowerCase()

/** What decides who may join and who may do what, which license was accepted, and what is run: never a pack. */
const NOT_A_PACKS =
  /^(?:eula\.txt|(?:ops|whitelist|banned-players|banned-ips|usercache)\.json|server\.properties|user_jvm_args\.txt|[^/]*\.(?:jar|sh|bat|cmd|ps1|exe)|(?:libraries|versions|cache|logs|crash-reports|\.fabric)\/.*)$/i

/** Whether a pack may bring a file with this path. */
export const mayBring = (path: string): boolean => !NOT_A_PACKS.test(path)
