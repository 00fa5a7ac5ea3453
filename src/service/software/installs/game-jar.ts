import { constants } from 'node:fs'
import { copyFile, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { propertiesIn } from '../../../contract/rules/properties-text.ts'
import { readJarEntry } from '../../zip/jar-entry.ts'

/** Minecraft's own server, as the jar of another software looks for it. */
export interface WantedGame {
  /** Its version. */
  version: string
  /** Where it is looked for, in the server's folder. */
  at: string
  /** Its SHA-256 in lower-case hex; null where the jar does not say it. */
  sha256: string | null
  /** The jar makes its server out of it before it starts, and does only that where it is asked to. */
  isPatched: boolean
}

/** Names of files and versions that a jar gives: no path, and nothing that any system refuses. */
const NAME = /^[A-Za-z0-9][\w.+-]{0,99}$/
const SHA256 = /^[0-9a-f]{64}$/

/**
 * Which copy of Minecraft's own server a jar looks for, by what stands in it; null where it needs none, or none is known of.
 *
 * Paper's launcher (Paperclip) names it in `META-INF/download-context` as `SHA-256<tab>address<tab>name`, up to Minecraft 1.17
 * in `patch.properties`, and looks for it in `cache`. Fabric's launcher takes the one in `.fabric/server` as it is.
 *
 * @param version the one that is installed
 */
export async function wantedGame(jar: string, version: string): Promise<WantedGame | null> {
  const context = (await readJarEntry(jar, 'META-INF/download-context'))?.trim().split('\t')
  if (context) return patched(version, context[0], context[2])
  const patch = await readJarEntry(jar, 'patch.properties')
  if (patch !== null) {
    const values = propertiesIn(patch)
    const name = values.get('version')
    return patched(version, values.get('originalHash'), name && `mojang_${name}.jar`)
  }
  const game = propertiesIn((await readJarEntry(jar, 'install.properties')) ?? '').get('game-version')
  if (game === undefined || !NAME.test(game)) return null
  return { version: game, at: `.fabric/server/${game}-server.jar`, sha256: null, isPatched: false }
}

function patched(version: string, hash = '', name = ''): WantedGame | null {
  const sha256 = hash.toLowerCase()
  if (!SHA256.test(sha256) || !NAME.test(name)) return null
  return { version, at: `cache/${name}`, sha256, isPatched: true }
}

/** Copies a file that was verified to its place in a folder, where there is nothing yet. */
export async function placeFile(from: string, folder: string, at: string): Promise<void> {
  const to = path.join(folder, at)
  await mkdir(path.dirname(to), { recursive: true })
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await using handle = await open(to, 'r+')
  await handle.sync()
}
