// @ts-check
// What signs the installers, as electron-builder wants it.
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The environment that installers are packed in. Apple's key comes as a text and is wanted as a file, which only we may read.
 * @param {NodeJS.ProcessEnv} given @param {string} folder for the key
 * @returns {Promise<{ env: NodeJS.ProcessEnv, done: () => Promise<void> }>} `done` removes the file
 */
export async function signingEnvironment(given, folder) {
  // An empty variable is a secret that is not there; electron-builder would take it for a certificate.
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const { APPLE_API_KEY: key } = env
  if (!key) return { env, done: async () => {} }
  const file = path.join(folder, `${randomUUID()}.p8`)
  await writeFile(file, key, { mode: 0o600, flag: 'wx' })
  return { env: { ...env, APPLE_API_KEY: file }, done: () => rm(file, { force: true }) }
}
