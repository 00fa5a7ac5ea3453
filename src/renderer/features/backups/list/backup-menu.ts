import Download from '@lucide/svelte/icons/download'
import FolderOpen from '@lucide/svelte/icons/folder-open'
import Info from '@lucide/svelte/icons/info'
import Lock from '@lucide/svelte/icons/lock'
import LockOpen from '@lucide/svelte/icons/lock-open'
import Pencil from '@lucide/svelte/icons/pencil'
import RotateCcw from '@lucide/svelte/icons/rotate-ccw'
import ShieldCheck from '@lucide/svelte/icons/shield-check'
import Trash2 from '@lucide/svelte/icons/trash-2'
import type { Backup } from '../../../../contract/areas/backups.ts'
import { t } from '../../../messages/t.svelte.ts'
import type { MenuItem } from '../../../ui/dialog/menu.ts'
import type { BackupActs } from './backup-acts.svelte.ts'
import { isBusy } from './backup-words.ts'

/** What can be done now with the chosen ones; the rest is left out. */
export function backupMenu(
  acts: BackupActs,
  chosen: readonly Backup[],
  open: (backup: Backup) => void,
): MenuItem[] {
  const { rights } = acts
  const [only] = chosen.length === 1 ? chosen : []
  const isStill = chosen.every((backup) => !isBusy(backup))
  const isKept = chosen.some((backup) => backup.state === 'done')
  const locked = chosen.filter((backup) => backup.locked === true)
  const items: (MenuItem | false)[] = [
    ...(only ? ofOne(acts, only, open) : []),
    rights.create &&
      isStill &&
      isKept &&
      locked.length < chosen.length && {
        label: t('backup.lock'),
        icon: Lock,
        choose: () => void acts.lock(chosen, true),
      },
    rights.create &&
      isStill &&
      locked.length > 0 && {
        // Where it could be deleted otherwise, its way there is named.
        label: t(rights.remove ? 'backup.unlock-first' : 'backup.unlock'),
        icon: LockOpen,
        choose: () => void acts.lock(locked, false),
      },
    rights.remove &&
      isStill &&
      locked.length === 0 && {
        ...{ label: t('backup.delete'), icon: Trash2, danger: true, begins: true },
        choose: () => (acts.dialog = { kind: 'remove', backups: chosen }),
      },
  ]
  return items.filter((item) => item !== false)
}

function ofOne(acts: BackupActs, backup: Backup, open: (backup: Backup) => void): (MenuItem | false)[] {
  const { rights } = acts
  const isWhole = backup.state === 'done'
  const isFree = isWhole && !isBusy(backup)
  return [
    isWhole &&
      rights.open && {
        ...{ label: t('backup.open'), icon: FolderOpen, keys: t('key.enter') },
        choose: () => open(backup),
      },
    isFree &&
      rights.save && {
        ...{ label: t('backup.save'), icon: Download },
        choose: () => void acts.save(backup),
      },
    isFree &&
      (rights.restore || rights.restoreAnew) && {
        ...{ label: t('backup.restore'), icon: RotateCcw },
        choose: () => (acts.dialog = { kind: 'restore', backup }),
      },
    isFree &&
      rights.check && {
        ...{ label: t('backup.check'), icon: ShieldCheck },
        choose: () => (acts.dialog = { kind: 'check', backup }),
      },
    {
      ...{ label: t('backup.details'), icon: Info },
      choose: () => (acts.dialog = { kind: 'details', backup }),
    },
    isFree &&
      rights.rename && {
        ...{ label: t('backup.rename'), icon: Pencil },
        choose: () => (acts.dialog = { kind: 'name', backup }),
      },
  ]
}
