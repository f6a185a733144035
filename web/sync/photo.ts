/** The longer side of a photo as it is kept, in pixels; and of one that the server found too large. */
export const photoSide = 1600
export const smallPhotoSide = 1024

const quality = 0.8

/** Whether this browser can read it: some cannot read what some cameras write. */
export async function isReadable(file: Blob): Promise<boolean> {
  try {
    const picture = await createImageBitmap(file)
    picture.close()
    return true
  } catch {
    return false
  }
}

/** Small enough for a bad line, upright, and without what the camera wrote into it of place and time. */
export async function smallPhoto(file: Blob, side = photoSide): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const share = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * share))
  canvas.height = Math.max(1, Math.round(picture.height * share))
  const paper = canvas.getContext('2d')
  if (paper === null) throw new Error('This browser draws no pictures.')
  paper.imageSmoothingQuality = 'high'
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return jpegOf(canvas)
}

function jpegOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (made) => (made === null ? reject(new Error('No picture was made.')) : resolve(made)),
      'image/jpeg',
      quality,
    )
  })
}
