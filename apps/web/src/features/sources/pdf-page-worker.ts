// What reads the bytes of a PDF for the page that shows it.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
