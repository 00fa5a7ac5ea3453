import { t } from '../../../messages/t.svelte.ts'

export function versionName({ name, channel }: { name: string; channel?: unknown }): string {
  if (channel === 'snapshot') return t('extensions.version-beta', { version: name })
  return channel === 'experimental' ? t('extensions.version-alpha', { version: name }) : name
}
