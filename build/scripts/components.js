// @ts-check
// Prints imports of components that don't exist. The native TypeScript compiler accepts them: Svelte declares any `*.svelte`.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say } from './project.js'

const imported = /\b(?:from|import)[\s(]+'(\.[^'\n]+\.svelte)'/g

/**
 * @param {string} file path of the importing file @param {string} code
 * @param {(file: string) => boolean} exists
 * @returns {string[]} a sentence for each missing component
 */
export const missingComponents = (file, code, exists) =>
  [...code.matchAll(imported)].flatMap(({ 1: source = '', index }) =>
    exists(path.join(path.dirname(file), source))
      ? []
      : [`${file}:${code.slice(0, index).split('\n').length}: there is no ${source}`],
  )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const missing = globSync('{src,tests}/**/*.{ts,svelte}', { cwd: root }).flatMap((file) =>
    missingComponents(file, readFileSync(path.join(root, file), 'utf8'), (target) =>
      existsSync(path.join(root, target)),
    ),
  )
  for (const sentence of missing) say(sentence)
  if (missing.length > 0) process.exitCode = 1
}
