// @ts-check
// What signs the installers, as electron-builder wants it, and what becomes of a release without it.
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'yaml'
import { Plain } from '../scripts/project.js'

/** Systems that warn of programs nobody has signed: which secret signs for them, and what comes of its lack. */
const signed = {
  darwin: {
    name: 'macOS',
    secret: 'CSC_LINK',
    comesOf: 'macOS refuses to open them, and does not update them by itself.',
  },
  win32: { name: 'Windows', secret: 'WIN_CSC_LINK', comesOf: 'Windows warns of them.' },
}

/**
 * What a release has to say where its installers are not signed; null where they are, or where none are signed. Throws where
 * nobody has agreed to that: a secret that is missing, or was renamed, must not be found out by whoever installs it.
 * @param {NodeJS.ProcessEnv} env `WHEELHOUSE_UNSIGNED`: the systems it is agreed to for, such as `macOS Windows`
 * @param {NodeJS.Platform} platform
 */
export function unsignedNote(env, platform) {
  const system = platform === 'darwin' || platform === 'win32' ? signed[platform] : null
  if (!system || env[system.secret]) return null
  const { name, secret, comesOf } = system
  if (!env.WHEELHOUSE_UNSIGNED?.split(/[\s,]+/).includes(name))
    throw new Plain(
      `${secret} is missing, so the installers for ${name} would not be signed: ${comesOf} Add the secret, or set WHEELHOUSE_UNSIGNED to ${name} to release them all the same; the draft then says so.`,
    )
  return `The installers for ${name} are not signed: ${comesOf}`
}

/**
 * What is wrong with what a program for Windows knows of its updates, where they are to be checked for who signed them; null where
 * nothing is.
 * @param {string} text `app-update.yml` @param {string} publisher the name in the certificate
 */
export function publisherFault(text, publisher) {
  const { publisherName } = parse(text)
  const names = [publisherName ?? []].flat()
  return names.length === 1 && names[0] === publisher
    ? null
    : `Updates would not be checked for being signed by ${publisher}: app-update.yml names ${names.join(', ') || 'nobody'}.`
}

/** Fails where a program of Windows is not signed, or by nobody whom it trusts. The path comes as the first argument. */
const signedByWindows =
  '& { if ((Get-AuthenticodeSignature -LiteralPath $args[0]).Status -ne "Valid") { exit 1 } }'

/**
 * How the system itself is asked whether a packed program is signed, on macOS also whether it is notarized and would be opened: each is a program with its
 * arguments that fails where it is not. Nothing where it was not signed.
 * @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform @param {string} program the folder `….app`, or the file `….exe`
 * @returns {string[][]}
 */
export function proofsOfSigning(env, platform, program) {
  if (platform === 'darwin' && env.CSC_LINK)
    return [
      ['codesign', '--verify', '--deep', '--strict', program],
      ['xcrun', 'stapler', 'validate', program],
      ['spctl', '--assess', '--type', 'execute', program],
    ]
  if (platform === 'win32' && env.WIN_CSC_LINK)
    return [['powershell', '-NoProfile', '-NonInteractive', '-Command', signedByWindows, program]]
  return []
}

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
