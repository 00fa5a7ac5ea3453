// @ts-check
// node build/workflows/release-notes.js FILE [RELEASE]: what CHANGELOG.md says of the version that is built, for the draft and for
// the feed; where the folder of a release is named, also which of its installers are not signed.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Plain, at, main } from '../scripts/project.js'

/**
 * The section of a version, without its heading; that of an early version such as 1.2.0-beta.1 may still be `Unreleased`.
 * @param {string} changelog @param {string} version
 */
export function notesOf(changelog, version) {
  const sections = changelog.replaceAll('\r\n', '\n').split(/^## /m).slice(1)
  const named = (/** @type {string} */ name) => sections.find((section) => section.startsWith(`[${name}]`))
  const section = named(version) ?? (version.includes('-') ? named('Unreleased') : undefined)
  const [, ...lines] = section?.replace(/^\[[^\]]+\]: .*$/gm, '').split('\n') ?? []
  const notes = lines.join('\n').trim()
  if (!notes) throw new Plain(`CHANGELOG.md says nothing of version ${version}.`)
  return `${notes}\n`
}

/** The notes with what machines say of installers that they could not sign. @param {string} notes @param {string} release */
export async function withUnsigned(notes, release) {
  const names = (await readdir(release)).filter((name) => /^unsigned-.*\.txt$/.test(name))
  const all = await Promise.all(names.map((name) => readFile(path.join(release, name), 'utf8')))
  const said = [...new Set(all.map((text) => text.trim()))].sort()
  return said.length === 0 ? notes : `${said.map((text) => `> ${text}`).join('\n>\n')}\n\n${notes}`
}

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    const [file, release] = process.argv.slice(2)
    if (!file) throw new Plain('Usage: node build/workflows/release-notes.js FILE [RELEASE]')
    const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))
    const notes = notesOf(await readFile(at('CHANGELOG.md'), 'utf8'), version)
    await writeFile(file, release ? await withUnsigned(notes, release) : notes)
    return 0
  })
