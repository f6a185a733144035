type Sheet = 'later' | 'owner'

const coming = new Map<Sheet, Promise<void>>()

/** A part that comes with a look which the app opens without: that of forms, entries and the outbox, or of whoever runs the farm as well. */
export async function withSheet<Part>(part: Promise<Part>, ...also: readonly Sheet[]): Promise<Part> {
  for (const sheet of ['later', ...also] as const) await sheetThere(sheet)
  return part
}

function sheetThere(sheet: Sheet): Promise<void> {
  const known = coming.get(sheet)
  if (known !== undefined) return known
  const fetched = fetchSheet(sheet)
  coming.set(sheet, fetched)
  return fetched
}

async function fetchSheet(sheet: Sheet): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = document.querySelector<HTMLMetaElement>(`meta[name=${sheet}-sheet]`)?.content ?? ''
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = reject
  })
  document.head.append(link)
  try {
    await loaded
  } catch (fault) {
    link.remove()
    coming.delete(sheet)
    throw fault
  }
}
