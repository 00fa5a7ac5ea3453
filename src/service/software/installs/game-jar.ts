import { constants } from 'node:fs'
import { copyFile, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { propertiesIn } from '../../../contract/rules/properties-text.ts'
import { readJarEntry } from '../../zip/jar-entry.ts'

interface WantedGame {
  version: string
  /** Relative to the server's folder. */
  at: string
  /** Lower-case hex; null if the jar doesn't say. */
  sha256: string | null
  isPatched: boolean
}

/** Untrusted names: no paths, valid on every system. */
const NAME = /^[A-Za-z0-9][\w.+-]{0,99}$/
const SHA256 = /^[0-9a-f]{64}$/

/**
 * Paperclip: `META-INF/download-context` contains `SHA-256<tab>address<tab>name` (up to 1.17 `patch.properties`),
 * looked up in `cache`. Fabric: `.fabric/server`.
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

export async function placeFile(from: string, folder: string, at: string): Promise<void> {
  const to = path.join(folder, at)
  await mkdir(path.dirname(to), { recursive: true })
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await using handle = await open(to, 'r+')
  await handle.sync()
}
