import { number } from '../../messages/format.ts'
import { t, type Words } from '../../messages/t.svelte.ts'

/** Same as in the contract. */
const CORES = { least: 0.1, most: 256 }
/** Of a billionth, an engine's smallest part of a core. */
const DIGITS = 9

/** As it is typed in any language, such as `0.5` or `0,5`. Null: all. NaN if it's no number. */
export function coresOf(typed: string): number | null {
  const text = typed.trim()
  if (text === '') return null
  return /^\d*[.,]?\d+$/.test(text) ? Number(text.replace(',', '.')) : NaN
}

export function coresText(cores: number | null | undefined): string {
  return cores ? number(cores, DIGITS) : ''
}

export function coresCheck(typed: string): Words | null {
  const cores = coresOf(typed)
  if (cores === null || (cores >= CORES.least && cores <= CORES.most)) return null
  return () => t('java.cores-invalid', { least: number(CORES.least, 1), most: number(CORES.most) })
}

/** For people; what is no number stays as it was typed. */
export function coresSaid(typed: string): string {
  const cores = coresOf(typed)
  if (cores === null) return t('java.cores-all')
  return Number.isNaN(cores) ? typed : number(cores, DIGITS)
}
