import { t } from '../../messages/t.svelte.ts'

/** Why software can't be downloaded. Only a system that knows it is offline says that there is no internet. */
export function unreachedWords(software: string, isLocal: boolean): string {
  return t(isLocal && !navigator.onLine ? 'create.no-internet' : 'create.unreached', { software })
}
