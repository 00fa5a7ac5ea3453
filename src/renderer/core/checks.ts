import { t, type Words } from '../messages/t.svelte.ts'

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

/** A code from a mail, in whatever form a service sends it. */
export function code(value: string): Words | null {
  return needed(value) ?? (/^\S{1,100}$/.test(value.trim()) ? null : () => t('field.code'))
}
