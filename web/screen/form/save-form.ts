import { say } from '../../form/say.ts'
import type { Written } from '../../form/written.ts'
import { pageOf } from '../../look/address-of.ts'
import { arriving, replace } from '../../look/router.ts'
import { offerUndo, tell, whyOf } from '../../look/undo.tsx'
import type { KeptRecord } from '../../store/record.ts'
import { save } from '../../sync/save.ts'

/** Keeps what was written, and shows the record; back does not lead into the form again. */
export async function saveForm(written: Written, of: Pick<KeptRecord, 'type' | 'bundle' | 'id'>): Promise<void> {
  const { changes, photos, name } = written
  if (changes.length + photos.length > 0) {
    try {
      const saved = await save(changes, { photos })
      offerUndo([saved], say('form.saved', { name }))
    } catch (fault) {
      tell(say('form.not-saved', { why: whyOf(fault) }))
      throw fault
    }
  }
  arriving.value = true
  replace(pageOf(of))
}
