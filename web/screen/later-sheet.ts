let coming: Promise<unknown> | undefined

/** A part that comes with the look of forms, entries and the outbox, which the app opens without. */
export async function withSheet<Part>(part: Promise<Part>): Promise<Part> {
  coming ??= fetchSheet()
  await coming
  return part
}

async function fetchSheet(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = document.querySelector<HTMLMetaElement>('meta[name=later-sheet]')?.content ?? ''
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = reject
  })
  document.head.append(link)
  try {
    await loaded
  } catch (fault) {
    link.remove()
    coming = undefined
    throw fault
  }
}
