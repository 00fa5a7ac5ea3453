import '../messages/en/sign-in.ts'
import { t, type Words } from '../messages/t.svelte.ts'

/** Longest name in characters as people count them. The contract holds the same number. */
const NAME_MAX = 60
/** MiB. The contract holds the same number. */
const MEMORY_MIN = 256

/** Answers what is wrong with a value, or null. The service checks again; this only saves the way. */
export function needed(value: string): Words | null {
  return value.trim() === '' ? () => t('field.needed') : null
}

/** An email address, as far as it can be told without sending something. */
export function email(value: string): Words | null {
  return needed(value) ?? (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? null : () => t('field.email'))
}

/** A password that is being chosen. */
export function newPassword(value: string): Words | null {
  return needed(value) ?? (value.length < 10 ? () => t('field.password-short') : null)
}

/** A code from a mail as it is sent back: digits without the spaces and dashes that they were written or pasted with. */
export function bareCode(value: string): string {
  const bare = value.replaceAll(/[\s-]/g, '')
  return /^\d+$/.test(bare) ? bare : value.trim()
}

/** A code from a mail, in whatever form a service sends it. */
export function code(value: string): Words | null {
  return needed(value) ?? (/^\S{1,100}$/.test(bareCode(value)) ? null : () => t('field.code'))
}

/** What is wrong with a server's name, or null. */
export function nameCheck(name: string): Words | null {
  if (name.trim() === '') return () => t('field.needed')
  const length = [...new Intl.Segmenter().segment(name.trim())].length
  return length > NAME_MAX ? () => t('create.name-long') : null
}

/** What is wrong with the port of a game server, or null. The contract holds the same numbers. */
export function portCheck(typed: string): Words | null {
  const port = Number(typed)
  return /^\s*\d+\s*$/.test(typed) && port >= 1024 && port <= 65535 ? null : () => t('field.port')
}

/** What is wrong with an amount of memory in MiB, or null. */
export function memoryCheck(typed: string): Words | null {
  const amount = Number(typed)
  return /^\s*\d+\s*$/.test(typed) && amount >= MEMORY_MIN ? null : () => t('create.memory-invalid')
}
