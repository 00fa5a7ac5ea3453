import ArrowUpCircle from '@lucide/svelte/icons/circle-arrow-up'
import ExternalLink from '@lucide/svelte/icons/external-link'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import Pin from '@lucide/svelte/icons/pin'
import PinOff from '@lucide/svelte/icons/pin-off'
import Power from '@lucide/svelte/icons/power'
import PowerOff from '@lucide/svelte/icons/power-off'
import Settings from '@lucide/svelte/icons/settings-2'
import Trash2 from '@lucide/svelte/icons/trash-2'
import { parentOf } from '../../../../contract/rules/paths.ts'
import { missingScope } from '../../../core/servers/power.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import type { Entry } from '../list/extension-list.svelte.ts'
import type { ExtensionActs } from './extension-acts.svelte.ts'

/** Only https addresses may be opened. */
export const isPage = (url: string | null | undefined): url is string => /^https:\/\/\S+$/.test(url ?? '')

export function changesFor(acts: ExtensionActs, entries: readonly Entry[]): MenuItem[] {
  if (entries.length === 0) return []
  const { reason } = acts
  const some = (suits: (entry: Entry) => boolean, item: (chosen: Entry[]) => Omit<MenuItem, 'reason'>) => {
    const chosen = entries.filter(suits)
    return chosen.length > 0 ? [{ ...item(chosen), reason }] : []
  }
  return [
    ...some(
      ({ extension }) => extension.enabled === false,
      (chosen) => ({
        label: t('extensions.enable'),
        first: true,
        icon: Power,
        choose: () => void acts.change(chosen, 'enable'),
      }),
    ),
    ...some(
      ({ extension }) => extension.enabled !== false,
      (chosen) => ({
        label: t('extensions.disable'),
        first: true,
        icon: PowerOff,
        choose: () => void acts.change(chosen, 'disable'),
      }),
    ),
    ...some(
      ({ extension }) => !extension.pinned,
      (chosen) => ({
        label: t('extensions.pin'),
        first: true,
        icon: Pin,
        choose: () => void acts.change(chosen, 'pin'),
      }),
    ),
    ...some(
      ({ extension }) => extension.pinned === true,
      (chosen) => ({
        label: t('extensions.unpin'),
        first: true,
        icon: PinOff,
        choose: () => void acts.change(chosen, 'unpin'),
      }),
    ),
    ...some(
      () => true,
      (chosen) => ({
        label: t('extensions.remove'),
        first: true,
        icon: Trash2,
        danger: true,
        choose: () => (acts.removing = chosen),
      }),
    ),
  ]
}

export function placesOf(acts: ExtensionActs, { extension, update }: Entry): MenuItem[] {
  const { name, file, kind, project } = extension
  const places: MenuItem[] = []
  if (update && project) {
    const { id } = project
    places.push({
      label: update.version
        ? t('extensions.update-to', { version: update.version })
        : t('extensions.update-available'),
      icon: ArrowUpCircle,
      reason: acts.reason,
      choose: () =>
        (acts.planning = {
          ...{ what: 'update', name, project: id },
          ...(update.versionId && { versionId: update.versionId }),
        }),
    })
  }
  const scope = missingScope(acts.server.server?.role, ['files.read'])
  if (file && !scope) {
    places.push({
      label: t('extensions.open-folder'),
      icon: FolderOpen,
      choose: () => acts.openFolder(parentOf(file)),
    })
    // Plugins keep theirs in a folder with their name, mods in a shared one.
    const config =
      kind === 'mod' ? 'config' : kind === 'plugin' && isFolderName(name) ? `plugins/${name}` : null
    if (config)
      places.push({
        label: t('extensions.open-config'),
        icon: Settings,
        choose: () => acts.openFolder(config),
      })
  }
  const page = project?.url
  if (isPage(page))
    places.push({
      label: t('extensions.open-page'),
      icon: ExternalLink,
      choose: () => void acts.openPage(page),
    })
  return places
}

/** Whether a name from a jar is a safe folder name. */
const isFolderName = (name: string) => /^[\w .-]{1,100}$/.test(name) && !/^\.+$/.test(name.trim())
