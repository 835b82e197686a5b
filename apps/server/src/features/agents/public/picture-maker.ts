/** Makes a picture from a person's own words, or draws a face where no image model is available. Returns its path. */
export type PictureMaker = { pictureFrom(userId: string, prompt: string): Promise<string> }
