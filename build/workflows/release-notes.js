// @ts-check
// node build/workflows/release-notes.js FILE: what CHANGELOG.md says of the version that is built, for the draft and for the feed.
import { readFile, writeFile } from 'node:fs/promises'
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

if (process.argv[1] === import.meta.filename)
  await main(async () => {
    const [file] = process.argv.slice(2)
    if (!file) throw new Plain('Usage: node build/workflows/release-notes.js FILE')
    const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))
    await writeFile(file, notesOf(await readFile(at('CHANGELOG.md'), 'utf8'), version))
    return 0
  })
