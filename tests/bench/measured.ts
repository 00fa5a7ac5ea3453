import { dirname, join } from 'node:path'
import { at } from '../../build/scripts/project.js'

/** The tree whose programs are measured: this one, or another commit's that is compared with it. */
export const measuredTree = process.env.WHEELHOUSE_OUT ? dirname(process.env.WHEELHOUSE_OUT) : at('.')

/** Where figures are written. */
export const figuresFolder = process.env.WHEELHOUSE_FIGURES ?? at('out/bench')

/** Where profiles are written; null where none are wanted. */
export const profilesFolder = process.env.WHEELHOUSE_PROFILES ?? null

/** What makes Node leave profiles of its processor time and its memory when it ends, and all Nodes that it starts. */
export const profiled = (name: string): Record<string, string> => {
  if (!profilesFolder) return {}
  const folder = join(profilesFolder, name)
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--heap-prof', `--heap-prof-dir=${folder}`]
  return { NODE_OPTIONS: flags.join(' ') }
}
