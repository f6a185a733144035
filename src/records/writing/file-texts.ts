import { faultOfLine } from '../../fields/characters.ts'
import type { Draft, FileDraft, KeptFile } from '../../fields/value.ts'
import type { Fault } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { updateFileTexts } from '../../storage/file-rows.ts'
import { keptFiles } from '../../storage/unused-files.ts'
import { type RecordDraft, refuseFaults } from './draft.ts'

/** Says of files what a draft says of them. Answers whether that is anything else than before. */
export async function tellOfFiles(tx: Transaction, draft: RecordDraft): Promise<'retold' | 'as before'> {
  const told = Object.keys(draft.fields).flatMap((name) =>
    draft.fields[name]?.kind === 'attachment' ? toldIn(draft.drafts[name]) : [],
  )
  if (told.length === 0) return 'as before'
  const files = await keptFiles(
    tx,
    told.map(({ id }) => id),
  )
  let outcome: 'retold' | 'as before' = 'as before'
  for (const { id, texts } of told) {
    const file = files.get(id)
    if (file === undefined) continue
    const { alt, title, description } = { ...file, ...texts }
    if (alt === file.alt && title === file.title && description === file.description) continue
    const changed = Object.entries({ alt, title }).filter(([name, text]) => text !== file[name as 'alt' | 'title'])
    refuseFaults(changed.flatMap(([name, text]) => faultIn(`${name} of file ${id}`, text ?? '')))
    await updateFileTexts(tx, { id, alt, title, description })
    outcome = 'retold'
  }
  return outcome
}

function faultIn(field: string, text: string): readonly Fault[] {
  const message = faultOfLine(text)
  return message === null ? [] : [{ field, message }]
}

const toldIn = (draft: Draft | undefined): readonly KeptFile[] =>
  // The draft of an attachment is a list of files.
  ((draft ?? []) as readonly FileDraft[]).filter(
    (one): one is KeptFile => one.file === 'kept' && Object.keys(one.texts ?? {}).length > 0,
  )
