declare module 'pdfmake' {
  type Font = { normal: string; bold: string; italics: string; bolditalics: string }
  const pdfmake: {
    virtualfs: { writeFileSync(name: string, content: Uint8Array): void; existsSync(name: string): boolean }
    addFonts(fonts: Record<string, Font>): void
    setUrlAccessPolicy(policy: (url: string) => boolean): void
    setLocalAccessPolicy?(policy: (path: string) => boolean): void
    createPdf(definition: object): { getBuffer(): Promise<Uint8Array> }
  }
  export default pdfmake
}
