const own = import.meta.url
const place = 'furrow-started-anew'

/** Whether the server still has the app as it runs here. */
export async function askVersion(): Promise<'same' | 'replaced' | 'no-answer'> {
  try {
    const { status } = await fetch(own, { method: 'HEAD', cache: 'no-store' })
    return status === 404 ? 'replaced' : 'same'
  } catch {
    return 'no-answer'
  }
}

/** The page comes anew, with the version that the server has now; but not over and over, if that lacks something too. */
export function startAnewOnce(): void {
  if (sessionStorage.getItem(place) === own) return
  sessionStorage.setItem(place, own)
  location.reload()
}
