import { t, type Words } from '../messages/t.svelte.ts'

/** In visible characters; same as in the contract. */
const NAME_MAX = 60
/** MiB; same as in the contract. */
const MEMORY_MIN = 256

/** Like all checks here: returns what is wrong, or null. The service checks again. */
export function needed(value: string): Words | null {
  return value.trim() === '' ? () => t('field.needed') : null
}

export function email(value: string): Words | null {
  return needed(value) ?? (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value.trim()) ? null : () => t('field.email'))
}

export function newPassword(value: string): Words | null {
  return needed(value) ?? (value.length < 10 ? () => t('field.password-short') : null)
}

export function bareCode(value: string): string {
  const bare = value.replaceAll(/[\s-]/g, '')
  return /^\d+$/.test(bare) ? bare : value.trim()
}

export function code(value: string): Words | null {
  return needed(value) ?? (/^\S{1,100}$/.test(bareCode(value)) ? null : () => t('field.code'))
}

export function nameCheck(name: string): Words | null {
  if (name.trim() === '') return () => t('field.needed')
  const length = [...new Intl.Segmenter().segment(name.trim())].length
  return length > NAME_MAX ? () => t('create.name-long') : null
}

export function portCheck(typed: string): Words | null {
  const port = Number(typed)
  return /^\s*\d+\s*$/.test(typed) && port >= 1024 && port <= 65535 ? null : () => t('field.port')
}

export function memoryCheck(typed: string): Words | null {
  const amount = Number(typed)
  return /^\s*\d+\s*$/.test(typed) && amount >= MEMORY_MIN ? null : () => t('create.memory-invalid')
}
