import type { StartupVariable } from '../../../../contract/areas/hosting.ts'
import { t, type Words } from '../../../messages/t.svelte.ts'

const CHOICES_MOST = 200

/** What is asked of a variable's value, as far as it is judged here. The host judges all of it, also patterns. */
export interface VariableRules {
  required: boolean
  isSwitch: boolean
  isWhole: boolean
  isNumber: boolean
  /** Of a number itself, of a text its characters. */
  least: number | null
  most: number | null
  choices: readonly string[]
}

export const nameOf = ({ name, key }: StartupVariable): string => name || key

/** Laravel's rules: `required|integer|between:2,32`. */
export function rulesOf({ rules }: StartupVariable): VariableRules {
  const all = new Map<string, string>()
  for (const rule of (rules ?? '').split('|')) {
    const at = rule.indexOf(':')
    const [name, argument] = at < 0 ? [rule, ''] : [rule.slice(0, at), rule.slice(at + 1)]
    all.set(name.trim(), argument)
  }
  const [from, to] = (all.get('between') ?? '').split(',')
  const isWhole = all.has('integer') || all.has('int')
  return {
    required: all.has('required'),
    isSwitch: all.has('boolean') || all.has('bool'),
    isWhole,
    isNumber: isWhole || all.has('numeric'),
    least: numberIn(all.get('min') ?? all.get('size') ?? from),
    most: numberIn(all.get('max') ?? all.get('size') ?? to),
    choices: choicesIn(all.get('in') ?? ''),
  }
}

const numberIn = (text: string | undefined): number | null => {
  const number = Number(text)
  return text?.trim() && Number.isFinite(number) ? number : null
}

/** Separated by commas; quotes hold one together. */
const choicesIn = (text: string): string[] =>
  text === ''
    ? []
    : [...text.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)]
        .map(([, quoted, plain = '']) => quoted ?? plain)
        .slice(0, CHOICES_MOST)

/** Why the host would refuse a value, or null. */
export function faultOf(rules: VariableRules, value: string): Words | null {
  const { required, isWhole, isNumber, least, most, choices } = rules
  if (value.trim() === '') return required ? () => t('field.needed') : null
  if (choices.length > 0) return choices.includes(value) ? null : () => t('startup.not-a-choice')
  if (isWhole && !/^[+-]?\d+$/.test(value)) return () => t('startup.whole')
  if (isNumber && !Number.isFinite(Number(value))) return () => t('startup.number')
  const size = isNumber ? Number(value) : [...value].length
  if (least !== null && size < least)
    return () => t(isNumber ? 'startup.least' : 'startup.shortest', { least: String(least) })
  if (most !== null && size > most)
    return () => t(isNumber ? 'startup.most' : 'startup.longest', { most: String(most) })
  return null
}

export const isOn = (value: string): boolean => value === '1' || value === 'true'
