import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const ITALIAN: LabelDictionary = {
  language: 'it',
  stopWords:
    'il la lo i gli le di del della e per con da una un al si fattura che dei nostra vostro spettabile'.split(
      ' ',
    ),
  labels: {
    invoiceNumber: phrases(`
      Numero fattura, Fattura n, Fattura n°, Fattura nr, Fattura numero, N fattura, N° fattura, Nr fattura,
      Fattura num, Fattura #, Numero documento, N documento, Nr documento, N° documento, Documento n,
      Documento nr, Numero della fattura, Nota di credito n, Nota di credito nr, Nota di credito numero,
      Numero nota di credito, N° nota di credito, Ricevuta n, Ricevuta nr, Numero ricevuta, Fattura di vendita
      n, Scontrino n, Documento commerciale n, Doc n, Fatt n, Fatt nr, Fattura accompagnatoria n, Fattura
      immediata n, Fattura elettronica n, Fattura proforma n, Num doc, Parcella n, Num fattura, Numero, Nota
      credito n, Fattura di cortesia n, Ricevuta fiscale n, Nota di credito n°, N° doc, Fattura di acconto n,
      Rif fattura, Nr nota di credito, N nota di credito, Fattura differita n, N doc, Numero fatt, Documento
      n°`),
    otherNumber: phrases(`
      Codice cliente, Cod cliente, Numero cliente, N cliente, Numero ordine, N ordine, Ordine n, Ordine nr,
      Ordine, N° ordine, Vs ordine, Vostro ordine, Vs riferimento, Vostro riferimento, Ns riferimento, Nostro
      riferimento, Riferimento, Rif, DDT, DDT n, Documento di trasporto, Bolla, Contratto n, Numero contratto,
      Contratto, CIG, CUP, Codice destinatario, Codice univoco, SDI, Codice SDI, Commessa, Preventivo,
      Preventivo n, Fattura originale, Rif fattura n, Riferimento fattura, Fattura di riferimento, Storno
      fattura, A storno della fattura, Rettifica fattura, Fattura collegata, N conto, Numero di conto,
      Pratica, Ns rif, Vs rif, N° cliente, Vostro ordine n, Vs ordine n, Riferimento fattura n, Fattura
      originaria, Fattura originale n, Riferimento ordine, Rif ordine, Matricola, Storno parziale fattura,
      Storno totale fattura, Relativa alla fattura, Relativa a fattura n, Progetto, Numero preventivo, Numero
      di ordine, Causale, Codice IPA, Storno della fattura, Storno fattura n, Riferimento cliente`),
    issueDate: phrases(`
      Data fattura, Data, Data documento, Data emissione, Data di emissione, Emessa il, Data della fattura,
      del, Data doc, Emesso il, Fattura del, In data, Data nota di credito, Data ricevuta, Data della nota di
      credito, Data e ora, Data fatturazione, Data di fatturazione, Data fatt, Rilasciata il`),
    dueDate: phrases(`
      sarà addebitato il, Addebito il, Data scadenza, Scadenza, Data di scadenza, Scadenza pagamento, Scade il, Da pagare entro, Da pagare
      entro il, Pagamento entro il, Pagamento entro, Entro il, Pagare entro il, Scadenze, Data pagamento,
      Scadenza il, Da saldare entro il, Pagabile entro il, Pagabile entro, Termine di pagamento, Data di
      pagamento, con scadenza, con scadenza il, scadenza al, Da versare entro il, entro e non oltre il,
      Scadenza del pagamento, Saldo entro il, Scad, Scadenza rata, Pagamento in scadenza il, Saldare entro il,
      Bonifico entro il, Da corrispondere entro il`),
    otherDate: phrases(`
      Data consegna, Data di consegna, Data ordine, Data spedizione, Periodo, Periodo di riferimento, Data
      ddt, Data prestazione, Data di ordine, Periodo di fatturazione, Data trasporto, DDT del, Ordine del, Vs
      ordine del, Data fattura originale, Periodo dal, Dal, Al, Data fattura originaria, Data della
      prestazione, Data di spedizione, Data dell ordine, Servizio dal, Data inizio, Data fine, Arrivo,
      Partenza, Data inizio trasporto, Contratto del, Competenza, Rif fattura del, Data operazione`),
    net: phrases(`
      Imponibile, Totale imponibile, Totale netto, Netto, Totale senza IVA, Importo netto, Base imponibile,
      Totale esclusa IVA, Totale IVA esclusa, Totale al netto IVA, Totale al netto di IVA, Imponibile totale,
      Netto merce, Totale merce netto, Importo senza IVA, Tot imponibile, Imp le, Totale netto merce, Totale
      netto IVA, Importo imponibile, Imponibile IVA, Totale base imponibile, Totale imponibile EUR, Totale
      escl IVA, Imponibile netto, Subtotale netto, Totale (IVA esclusa), Totale merce e servizi, Totale al
      netto, Somma imponibile, Compenso netto, Totale senza imposte, Importo netto IVA`),
    tax: phrases(`
      IVA, Totale IVA, Imposta, Importo IVA, I V A, Totale imposta, Imposte, IVA totale, Tot IVA, Totale
      imposte, Di cui IVA, Ammontare IVA, Imposta IVA, IVA al, Importo imposta, IVA inclusa, Tasse, Totale I V
      A, Imposta totale, Importo dell IVA, Valore IVA, Tot imposta, Totale tasse`),
    gross: phrases(`
      Totale fattura, Totale documento, Totale IVA inclusa, Totale con IVA, Totale generale, Totale
      complessivo, Importo totale, Totale ivato, Totale lordo, Totale compresa IVA, Importo totale documento,
      Totale nota di credito, Importo lordo, Totale incl IVA, Tot documento, Tot fattura, Totale comprensivo
      di IVA, Totale fattura EUR, Importo complessivo, Importo fattura, Totale della fattura, Totale doc,
      Totale IVA compresa, Totale (IVA inclusa), Totale documento EUR, Totale con imposte, Totale ricevuta,
      Totale scontrino, Totale accredito, Totale nota credito, Lordo, Totale parcella, Importo totale fattura,
      Totale credito, Totale IVA incl, Prezzo totale`),
    due: phrases(`
      Totale da pagare, Da pagare, Importo da pagare, Netto a pagare, Saldo, Saldo da pagare, Totale a pagare,
      Importo dovuto, Totale dovuto, Residuo, Residuo da pagare, Saldo dovuto, Netto da pagare, A pagare,
      Rimanenza, Importo residuo, Importo a saldo, Saldo a pagare, Da corrispondere, Rimanente, Restante da
      pagare, Saldo residuo, Rimanente da pagare, Resta da pagare, Ancora da pagare, Totale residuo, Da
      versare, Da saldare, Totale da saldare, Importo da saldare, Da rimborsare, Totale da rimborsare, Importo
      da accreditare, Importo da rimborsare, Importo ancora dovuto, Saldo finale`),
    prepaid: phrases(`
      Acconto, Acconti, Già pagato, Pagato, Anticipo, Acconto versato, Importo pagato, Anticipi, Caparra,
      Acconto ricevuto, Già versato, Totale pagato, Meno acconto, Versato, Importo già pagato, Acconto già
      versato, Anticipo versato, Pagamento ricevuto, Detrazione acconto, Acconti ricevuti, Acconti versati,
      Già corrisposto, A dedurre acconto, Anticipo ricevuto, Pagamenti ricevuti, Già saldato, Acconto pagato,
      Acconto già pagato, Deduzione acconto`),
    subtotal: phrases(`
      Subtotale, Sub totale, Totale merce, Totale righe, Totale articoli, Somma, Totale prodotti, Totale
      parziale, Importo merce, Totale servizi, Totale lordo merce, Totale prestazioni, Totale merci, Subtot,
      Totale corrispettivi, Totale beni e servizi`),
    total: phrases(`
      Totale, Importo, Tot, Totale EUR, Totale euro, Totali, Totale €, Tot EUR, Ammontare, Valore totale`),
    discount: phrases(`
      Sconto, Sconti, Abbuono, Sconto merce, Sconto incondizionato, Sconto commerciale, Riduzione, Sconto
      cliente, Sconto totale, Totale sconto, Sconto extra, Buono sconto, Totale sconti, Importo sconto`),
    charge: phrases(`
      Spese di spedizione, Spese di trasporto, Spese, Trasporto, Spedizione, Bollo, Spese accessorie, Spese di
      incasso, Imballo, Maggiorazione, Cassa previdenza, Spese bancarie, Imposta di bollo, Contributo, Spese
      incasso, Contributo CONAI, Marca da bollo, Mancia, Spese di consegna, Coperto`),
    carryOver: phrases(`
      Riporto, A riportare, Totale a riportare, Riportare, Da riportare, Segue, Totale pagina, Riporto pagina
      precedente, Riporto da pagina, Subtotale pagina, Segue a pagina, Importo a riportare, Importo riportato,
      Riporto totale, Riporto dalla pagina`),
    rounding: phrases('Arrotondamento'),
    payment: phrases(`
      Contanti, Resto, Carta, Pagamento contante, Pagamento elettronico, Bancomat, Carta di credito, Modalità
      di pagamento, Modalità pagamento, Metodo di pagamento, Contante, Carta di debito, Assegno, Forma di
      pagamento, Tipo pagamento, Importo pagato contanti`),
    seller: phrases(`
      Fornitore, Venditore, Cedente, Cedente prestatore, Mittente, Emittente, Emessa da, Da, Prestatore,
      Ditta, Azienda, Fatturato da, Dati del fornitore, Dati fornitore, Beneficiario, Soggetto emittente, Dati
      azienda, Cedente prestatore (fornitore)`),
    buyer: phrases(`
      Cliente, Intestatario, Spett le, Spettabile, Fatturare a, Destinatario, Intestatario fattura, Cessionario, Cessionario
      committente, Acquirente, Intestata a, Indirizzo di fatturazione, Committente, Dati cliente, Dati del
      cliente, Fatturato a, A, Per, Intestazione, Egr Sig, Gent le, Spett, Dati di fatturazione, Fattura a,
      Destinatario fattura, Intestato a, Gent ma, Gent mo, Alla cortese attenzione di, Cessionario committente
      (cliente), Nome cliente, Destinatario documento, Indirizzo fatturazione, Emessa a, Fatturazione a,
      Debitore, Emessa nei confronti di`),
    shipTo: phrases(`
      Destinazione, Indirizzo di consegna, Luogo di consegna, Destinazione merce, Consegnare a, Indirizzo di
      spedizione, Luogo di destinazione, Spedire a, Consegna a, Spedito a, Indirizzo spedizione, Luogo
      destinazione, Indirizzo consegna, Cantiere, Luogo di esecuzione`),
    otherHeading: phrases(`
      Contatto commerciale, Persona di contatto, Note, Annotazioni, Condizioni di pagamento, Pagamento, Coordinate bancarie, Descrizione, Contatto,
      Contatti, Riepilogo IVA, Pagina, Indirizzo, Aspetto dei beni, Vettore, Causale, Osservazioni, Oggetto,
      Dettagli, Riepilogo, Banca appoggio, Dati bancari, Sede legale, Sede, Agente, Informazioni di pagamento,
      Riepilogo aliquote, Grazie, Referente, Operatore, Dettaglio, Castelletto IVA, Riepilogo imposte, Dati
      pagamento, Progetto`),
    name: phrases(`
      Nome, Ragione sociale, Denominazione, Ditta, Nominativo, Nome e cognome, Cognome e nome`),
    title: phrases(`
      Fattura, Nota di credito, Ricevuta, Scontrino, Ricevuta fiscale, Documento commerciale, Fattura
      accompagnatoria, Fattura immediata, Fattura proforma, Parcella, Fattura di vendita, Copia, Originale,
      Fattura elettronica, Fattura differita, Nota credito, Fattura di cortesia, Copia di cortesia, Nota di
      debito, Fattura di acconto, Avviso di fattura, Notula`),
    currency: phrases(`
      Valuta, Divisa, Importi in, Importi espressi in, Prezzi in, Tutti gli importi in`),
    terms: phrases(`
      Condizioni di pagamento, Termini di pagamento, Modalità di pagamento, Pagamento, Condizioni pagamento`),
    contact: phrases(`
      Tel, Telefono, Fax, Email, E mail, PEC, Sito, Sito web, Cell, Cellulare, Web, Mail`),
    taxId: phrases(`
      Partita IVA, P IVA, Codice fiscale, C F, Cod fiscale, Cod fisc, REA, Capitale sociale, Cap soc, Registro
      imprese, P I, PI, CF, P IVA e C F, Reg imprese, C F e P IVA, Iscritta al registro imprese, CF P IVA, P
      IVA C F, C F P IVA, Part IVA, Cod fisc e P IVA, CCIAA`),
    bank: phrases(`
      IBAN, BIC, SWIFT, Banca, Intestatario, Intestato a, Conto, Conto corrente, ABI, CAB, Bonifico bancario,
      Intestatario conto, C C`),
  },
  columns: {
    position: phrases('N, Pos, Nr, Riga, #, N riga, No'),
    sku: phrases(`
      Codice, Cod, Art, Codice articolo, Cod art, Riferimento, Rif, Cod articolo, SKU, Codice prodotto`),
    description: phrases(`
      Descrizione, Articolo, Prodotto, Servizio, Denominazione, Prestazione, Descrizione articolo, Descrizione
      beni, Oggetto, Dettaglio, Natura e qualità, Descrizione dei beni, Descrizione prodotto, Descrizione
      servizio, Descrizione delle prestazioni, Voce, Descrizione della prestazione, Prodotti, Beni e servizi,
      Descrizione prestazione, Causale, Descrizione beni servizi, Descrizione attività, Prodotto servizio,
      Articoli, Prestazioni, Merce, Descrizione dei beni o servizi`),
    quantity: phrases(`
      Quantità, Q tà, Qtà, Q ta, Qta, Ore, Quant, Pezzi, Pz, N pezzi, Giorni, Q, Nr pezzi, N ore, Quantita`),
    unit: phrases('UM, U M, Unità, Unità di misura, Misura'),
    unitPrice: phrases(`
      Prezzo unitario, Prezzo, Prezzo unit, P unitario, Costo unitario, Importo unitario, Prezzo netto,
      Tariffa, P U, Prezzo un, Prezzo cad, Costo orario, Valore unitario, PU, Prezzo EUR, Prezzo un rio,
      Prezzo unitario EUR, Tariffa oraria, Prezzo u, Costo, Prezzo listino, P unit, Prezzo unitario netto,
      Unitario, Prezzo per unità, Compenso orario, Cad, Prezzo unità`),
    discount: phrases('Sconto, Sc, Sc %, Sconto %, % Sc, % Sconto, Sconti'),
    taxRate: phrases(`
      IVA, IVA %, % IVA, Aliquota, Aliquota IVA, Cod IVA, Aliq, C IVA, Al IVA, Aliq IVA, Codice IVA`),
    taxAmount: phrases('Importo IVA, Imposta'),
    date: phrases('Data, Periodo, Giorno'),
    amount: phrases(`
      Importo, Totale, Importo totale, Totale riga, Prezzo totale, Importo netto, Imponibile, Valore, Netto,
      Totale EUR, Importo EUR, Totale netto, Valore totale, Importo riga, Totale articolo, Prezzo tot, Totale
      IVA esclusa, Tot, Subtotale, Importo complessivo, Totale imponibile, Totale lordo, Tot riga, Totale
      ivato, Totale IVA inclusa, Importo lordo, Compenso, Ammontare`),
  },
};
