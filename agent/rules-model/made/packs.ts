/** Words of made invoices in one language; each list holds ways in which real invoices say it. */
export interface Pack {
  readonly language: string;
  readonly country: string;
  readonly currency: readonly string[];
  readonly decimal: ',' | '.';
  readonly thousands: readonly string[];
  readonly dates: readonly ('d.m.y' | 'd/m/y' | 'm/d/y' | 'y-m-d' | 'd month y' | 'month d, y' | 'd-m-y')[];
  readonly months: readonly string[];
  readonly title: readonly string[];
  readonly creditTitle: readonly string[];
  readonly number: readonly string[];
  readonly date: readonly string[];
  readonly due: readonly string[];
  readonly dueSentence: readonly string[];
  readonly termsWithoutDate: readonly string[];
  readonly customerNumber: readonly string[];
  readonly orderNumber: readonly string[];
  readonly deliveryDate: readonly string[];
  readonly billTo: readonly string[];
  readonly from: readonly string[];
  readonly net: readonly string[];
  readonly tax: readonly string[];
  readonly gross: readonly string[];
  readonly amountDue: readonly string[];
  readonly prepaid: readonly string[];
  readonly carry: readonly (readonly [string, string])[];
  readonly columns: {
    readonly position: readonly string[];
    readonly description: readonly string[];
    readonly quantity: readonly string[];
    readonly unitPrice: readonly string[];
    readonly rate: readonly string[];
    readonly amount: readonly string[];
  };
  readonly rates: readonly number[];
  readonly sellers: readonly string[];
  readonly buyers: readonly string[];
  readonly streets: readonly string[];
  readonly towns: readonly string[];
  readonly goods: readonly string[];
  readonly more: readonly string[];
  readonly taxId: readonly string[];
  readonly greeting: readonly string[];
}

const list = (text: string) => text.split('|').map((part) => part.trim());

export const PACKS: readonly Pack[] = [
  {
    language: 'de',
    country: 'Deutschland',
    currency: ['€', 'EUR'],
    decimal: ',',
    thousands: ['.', '.', ' '],
    dates: ['d.m.y', 'd.m.y', 'd month y'],
    months: list('Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember'),
    title: list('Rechnung|RECHNUNG'),
    creditTitle: list('Gutschrift|Rechnungskorrektur'),
    number: list('Rechnungsnummer|Rechnungs-Nr.|Rechnung Nr.|Rechnungsnr.|Re.-Nr.|Belegnummer'),
    date: list('Rechnungsdatum|Datum|Ausstellungsdatum|Belegdatum'),
    due: list('Fällig am|Zahlbar bis|Fälligkeit|Fälligkeitsdatum|Zahlungsziel'),
    dueSentence: list(
      'Bitte überweisen Sie den Betrag bis zum {date} auf unser Konto.|Zahlbar ohne Abzug bis {date}.|Zahlungsziel: 14 Tage netto, fällig am {date}.|Der Rechnungsbetrag ist bis spätestens {date} zu begleichen.',
    ),
    termsWithoutDate: list(
      'Zahlbar innerhalb von 14 Tagen ohne Abzug.|Zahlung sofort nach Erhalt der Rechnung.',
    ),
    customerNumber: list('Kundennummer|Kunden-Nr.|Kd.-Nr.'),
    orderNumber: list('Bestellnummer|Auftragsnr.|Ihre Bestellung'),
    deliveryDate: list('Lieferdatum|Leistungsdatum'),
    billTo: list('Rechnungsempfänger|Rechnung an|Kunde|Rechnungsadresse'),
    from: list('Rechnungssteller|Verkäufer|Lieferant'),
    net: list('Nettobetrag|Summe netto|Zwischensumme|Gesamt netto|Nettosumme'),
    tax: list('MwSt. {rate}%|zzgl. {rate} % USt.|Umsatzsteuer {rate} %|USt. {rate}%'),
    gross: list('Gesamtbetrag|Rechnungsbetrag|Bruttobetrag|Gesamtsumme|Endbetrag|Summe brutto|Total'),
    amountDue: list('Zu zahlen|Zahlbetrag|Restbetrag|Offener Betrag'),
    prepaid: list('Anzahlung|abzgl. Anzahlung|Bereits gezahlt'),
    carry: [
      ['Übertrag', 'Übertrag'],
      ['Zwischensumme (Übertrag)', 'Übertrag von Seite 1'],
    ],
    columns: {
      position: list('Pos.|Pos|Nr.'),
      description: list('Bezeichnung|Beschreibung|Artikel|Leistung|Artikelbezeichnung'),
      quantity: list('Menge|Anzahl|Stück'),
      unitPrice: list('Einzelpreis|Preis|E-Preis|Preis/Einheit|Einzelpreis €'),
      rate: list('MwSt.|USt. %|MwSt %'),
      amount: list('Gesamtpreis|Betrag|Gesamt|Summe|Gesamt €|Nettobetrag'),
    },
    rates: [19, 7],
    sellers: list(
      'Nordlicht Druckerei GmbH|Bäckerei Sommerfeld e. K.|Holzwerk Tannenberg GmbH & Co. KG|Kontor für Gestaltung|Schreinerei Anton Huber',
    ),
    buyers: list(
      'Hafenlogistik Bremen AG|Autohaus Linde GmbH|Gemeinde Oberstetten|Sabine Krüger|Museum am Markt gGmbH',
    ),
    streets: list('Lindenallee 14|Am Hafen 3|Bahnhofstraße 27a|Industrieweg 112'),
    towns: list('28195 Bremen|80331 München|70173 Stuttgart|D-50667 Köln'),
    goods: list(
      'Visitenkarten 4/4-farbig|Beratungsleistung vor Ort|Ersatzfilter F7|Montage Regalsystem|Druckerpapier A4 80g|Wartung Heizungsanlage|Vollkornbrot 1000 g|Transportkiste 60 x 40',
    ),
    more: list('inkl. Anfahrt|Farbe: anthrazit|gemäß Angebot vom 02.01.2024|Serie B'),
    taxId: list('USt-IdNr.: DE812345678|Steuernummer: 71/123/45678'),
    greeting: list('Sehr geehrte Damen und Herren,|Vielen Dank für Ihren Auftrag.'),
  },
  {
    language: 'en-gb',
    country: 'United Kingdom',
    currency: ['£', 'GBP'],
    decimal: '.',
    thousands: [','],
    dates: ['d/m/y', 'd month y', 'd/m/y'],
    months: list('January|February|March|April|May|June|July|August|September|October|November|December'),
    title: list('Invoice|INVOICE|TAX INVOICE'),
    creditTitle: list('Credit Note|CREDIT NOTE'),
    number: list('Invoice No|Invoice Number|Invoice #|Invoice no.'),
    date: list('Invoice Date|Date|Date of issue|Issue date'),
    due: list('Due Date|Payment due|Due by|Payment due date'),
    dueSentence: list(
      'Please pay by {date}.|Payment is due by {date}.|Payment due on or before {date}|Terms: 30 days. Due date {date}',
    ),
    termsWithoutDate: list('Payment terms: 30 days net.|Terms: payment on receipt'),
    customerNumber: list('Customer No|Account No|Customer ID'),
    orderNumber: list('PO Number|Order No|Your ref'),
    deliveryDate: list('Delivery date|Date of supply'),
    billTo: list('Bill To|Billed to|Invoice To|Customer|Sold to'),
    from: list('From|Seller|Supplier'),
    net: list('Subtotal|Net Total|Total excl. VAT|Net amount|Total net'),
    tax: list('VAT @ {rate}%|VAT ({rate}%)|VAT {rate}%'),
    gross: list('Total|Grand Total|Total incl. VAT|Invoice Total|Gross total|TOTAL GBP'),
    amountDue: list('Amount Due|Balance Due|Total due|Balance outstanding'),
    prepaid: list('Deposit paid|Less: deposit|Amount paid'),
    carry: [
      ['Carried forward', 'Brought forward'],
      ['Subtotal carried forward', 'Brought forward'],
    ],
    columns: {
      position: list('No.|Item|#'),
      description: list('Description|Details|Product|Description of goods'),
      quantity: list('Qty|Quantity|Hours|Units'),
      unitPrice: list('Unit Price|Price|Rate|Unit cost'),
      rate: list('VAT|VAT %|VAT rate'),
      amount: list('Amount|Total|Line total|Net amount|Amount (£)'),
    },
    rates: [20, 5],
    sellers: list(
      'Harbour Cloud Ltd|Greenfield & Sons Limited|The Paper Mill|Oakwood Joinery|Brightwater Consulting LLP',
    ),
    buyers: list(
      'Kestrel Foods plc|Marlow Primary School|James Whitfield|Northgate Hotels Ltd|The Old Dairy',
    ),
    streets: list('14 Quay Street|Unit 3, Riverside Park|27 High Street|112 Mill Lane'),
    towns: list('Bristol BS1 4QD|Leeds LS1 5HX|London SW1A 1AA|York YO1 7HH'),
    goods: list(
      'Office cleaning, weekly|Oak shelf 90 cm|Consultancy services|Toner cartridge black|Website maintenance|Delivery of firewood|Training workshop|Ring binder A4',
    ),
    more: list('as per quote 1142|colour: slate|incl. fitting|March 2024'),
    taxId: list('VAT Reg No: GB 123 4567 89|Company No. 01234567'),
    greeting: list('Thank you for your business.|Dear customer,'),
  },
  {
    language: 'en-us',
    country: 'USA',
    currency: ['$', '$', 'USD'],
    decimal: '.',
    thousands: [','],
    dates: ['m/d/y', 'month d, y', 'm/d/y'],
    months: list('January|February|March|April|May|June|July|August|September|October|November|December'),
    title: list('Invoice|INVOICE'),
    creditTitle: list('Credit Memo|CREDIT MEMO'),
    number: list('Invoice #|Invoice Number|Invoice No.|INVOICE NO'),
    date: list('Date|Invoice Date|Date Issued'),
    due: list('Due Date|Payment Due|DUE DATE'),
    dueSentence: list('Payment due by {date}|Please remit payment by {date}.|Due date: {date}'),
    termsWithoutDate: list('Net 30|Terms: Due on receipt'),
    customerNumber: list('Customer ID|Account #'),
    orderNumber: list('P.O. #|PO Number|Order #'),
    deliveryDate: list('Ship Date|Service date'),
    billTo: list('Bill To|BILL TO|Billed To|Customer'),
    from: list('From|Vendor'),
    net: list('Subtotal|SUBTOTAL|Sub Total'),
    tax: list('Sales Tax ({rate}%)|Tax {rate}%|Sales tax|TAX'),
    gross: list('Total|TOTAL|Grand Total|Invoice Total'),
    amountDue: list('Balance Due|Amount Due|BALANCE DUE|Total Due'),
    prepaid: list('Payments|Amount Paid|Less Deposit'),
    carry: [
      ['Subtotal carried forward', 'Balance brought forward'],
      ['Carried forward', 'Brought forward'],
    ],
    columns: {
      position: list('#|Item|Line'),
      description: list('Description|Item Description|Product/Service|ACTIVITY'),
      quantity: list('Qty|QTY|Quantity|Hours'),
      unitPrice: list('Unit Price|Rate|Price|PRICE EACH'),
      rate: list('Tax|Tax %'),
      amount: list('Amount|Total|AMOUNT|Line Total|Ext. Price'),
    },
    rates: [8.25, 6, 7],
    sellers: list(
      'Blue Ridge Supply LLC|Carter Plumbing & Heating|Sunset Landscaping Inc.|Maple Street Bakery|Redwood Software Corp.',
    ),
    buyers: list('Harper Dental Group|Oak Valley Schools|Linda Gomez|Pioneer Trucking Co.|First Street Cafe'),
    streets: list('1420 Maple Street|88 Commerce Blvd, Suite 200|305 Pine Ave|7700 Industrial Way'),
    towns: list('Springfield, IL 62704|Austin, TX 78701|Portland, OR 97205|Denver, CO 80202'),
    goods: list(
      'Drain cleaning|Lawn service - monthly|Sourdough loaf|Annual license|HVAC filter 16x20|On-site support|Printed banners|Steel bracket',
    ),
    more: list('2nd floor unit|per contract #A12|Color: green|includes travel'),
    taxId: list('EIN: 12-3456789|Tax ID 98-7654321'),
    greeting: list('Thank you for your business!|Make all checks payable to the company above'),
  },
  {
    language: 'fr',
    country: 'France',
    currency: ['€', 'EUR', '€'],
    decimal: ',',
    thousands: [' ', '\u00a0', '\u202f', '.'],
    dates: ['d/m/y', 'd/m/y', 'd month y'],
    months: list('janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre'),
    title: list('Facture|FACTURE'),
    creditTitle: list('Avoir|AVOIR'),
    number: list('Facture N°|N° de facture|Numéro de facture|N° facture|Référence facture'),
    date: list("Date de facture|Date|Date d'émission|Date de facturation"),
    due: list("Date d'échéance|Échéance|À payer avant le|Echéance le"),
    dueSentence: list(
      "À régler avant le {date} par virement.|Date d'échéance : {date}|Paiement à réception, au plus tard le {date}.|Payable au plus tard le {date}",
    ),
    termsWithoutDate: list('Paiement à 30 jours fin de mois.|Règlement à réception de facture.'),
    customerNumber: list('Code client|N° client|Réf. client'),
    orderNumber: list('N° de commande|Bon de commande|Votre référence'),
    deliveryDate: list('Date de livraison|Date de prestation'),
    billTo: list('Facturé à|Client|Adresse de facturation|Destinataire'),
    from: list('Émetteur|Vendeur|Fournisseur'),
    net: list('Total HT|Montant HT|Sous-total HT|Total hors taxes|Net HT'),
    tax: list('TVA {rate} %|TVA {rate}%|TVA ({rate} %)|Montant TVA ({rate} %)'),
    gross: list('Total TTC|Montant TTC|TOTAL TTC|Total général TTC|Montant total TTC'),
    amountDue: list('Net à payer|Reste à payer|Solde à payer|Montant dû'),
    prepaid: list('Acompte versé|Acompte|Déjà réglé'),
    carry: [
      ['À reporter', 'Report'],
      ['Total à reporter', 'Report page précédente'],
    ],
    columns: {
      position: list('N°|Pos.|Ligne'),
      description: list('Désignation|Description|Libellé|Prestation'),
      quantity: list('Qté|Quantité|Qte'),
      unitPrice: list('Prix unitaire HT|P.U. HT|PU HT|Prix unitaire|Prix unit.'),
      rate: list('TVA|Taux TVA|% TVA'),
      amount: list('Montant HT|Total HT|Montant|Total'),
    },
    rates: [20, 5.5, 10],
    sellers: list(
      'Atelier du Rhône SARL|Boulangerie Lefèvre|Menuiserie Garnier SAS|Imprimerie des Quais|Claire Fontaine Conseil EURL',
    ),
    buyers: list(
      'Hôtel Bellevue SA|Mairie de Saint-Aubin|Paul Marchand|Transports Delmas SAS|École Jules Verne',
    ),
    streets: list("12 rue de la République|8 avenue Foch|3 bis chemin de l'olive|45 boulevard Voltaire"),
    towns: list('69001 Lyon|75011 Paris|13002 Marseille|31000 Toulouse'),
    goods: list(
      "Huile d'olive 75 cl|Prestation de conseil|Cartes de visite|Réparation de volet|Papier recyclé A4|Formation sécurité|Pain de campagne|Entretien espaces verts",
    ),
    more: list('selon devis D-118|coloris gris|période : mars 2024|hors déplacement'),
    taxId: list('N° TVA : FR12345678901|SIRET : 123 456 789 00012'),
    greeting: list('Merci de votre confiance.|Madame, Monsieur,'),
  },
  {
    language: 'es',
    country: 'España',
    currency: ['€', 'EUR', '€'],
    decimal: ',',
    thousands: ['.'],
    dates: ['d/m/y', 'd/m/y', 'd-m-y', 'd month y'],
    months: list('enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre'),
    title: list('Factura|FACTURA'),
    creditTitle: list('Factura rectificativa|Abono'),
    number: list('Nº de factura|Factura Nº|Número de factura|Nº factura|Factura núm.'),
    date: list('Fecha|Fecha de factura|Fecha de emisión|Fecha factura'),
    due: list('Vencimiento|Fecha de vencimiento|Fecha vto.|Fecha límite de pago'),
    dueSentence: list(
      'Forma de pago: transferencia. Vencimiento: {date}|Fecha de vencimiento {date}|Pagar antes del {date}',
    ),
    termsWithoutDate: list('Forma de pago: transferencia a 30 días.|Pago al contado.'),
    customerNumber: list('Nº cliente|Código cliente|Cliente nº'),
    orderNumber: list('Nº pedido|Su pedido|Albarán'),
    deliveryDate: list('Fecha de entrega|Fecha de operación'),
    billTo: list('Cliente|Facturar a|Datos del cliente|Facturado a'),
    from: list('Emisor|Vendedor|Proveedor'),
    net: list('Base imponible|Subtotal|Total neto|Importe neto|Total sin IVA'),
    tax: list('IVA {rate}%|IVA ({rate} %)|Cuota IVA {rate} %|I.V.A. {rate}%'),
    gross: list('Total factura|Total|TOTAL|Importe total|Total con IVA|TOTAL FACTURA'),
    amountDue: list('Total a pagar|Importe pendiente|A pagar|Pendiente de pago'),
    prepaid: list('Anticipo|Entrega a cuenta|Pagado a cuenta'),
    carry: [
      ['Suma y sigue', 'Suma anterior'],
      ['Suma y sigue', 'Suma anterior'],
    ],
    columns: {
      position: list('Nº|Pos.|Línea'),
      description: list('Descripción|Concepto|Artículo|Detalle'),
      quantity: list('Cantidad|Cant.|Uds.|Unidades'),
      unitPrice: list('Precio|Precio unitario|Precio ud.|P. unitario'),
      rate: list('IVA|% IVA|IVA %'),
      amount: list('Importe|Total|Importe neto|Subtotal'),
    },
    rates: [21, 10],
    sellers: list(
      'Talleres Mediterráneo S.L.|Panadería La Espiga|Diseños Aurora S.L.U.|Reformas Castilla S.A.|Lucía Romero Vidal',
    ),
    buyers: list(
      'Hotel Costa Brava S.A.|Ayuntamiento de Alcira|Miguel Torres Gil|Bodegas del Sur S.L.|Colegio San Jorge',
    ),
    streets: list('Calle Mayor 15|Avda. de la Constitución 42|C/ Alcalá 120, 3º|Plaza de España 7'),
    towns: list('28013 Madrid|46001 Valencia|08003 Barcelona|41004 Sevilla'),
    goods: list(
      'Aceite de oliva virgen|Servicio de asesoría|Tarjetas de visita|Instalación eléctrica|Papel reciclado A4|Curso de formación|Pan integral|Mantenimiento mensual',
    ),
    more: list('según presupuesto 118|color gris|periodo marzo 2024|incluye montaje'),
    taxId: list('CIF: B12345678|NIF: 12345678Z'),
    greeting: list('Gracias por su confianza.|Estimado cliente:'),
  },
  {
    language: 'it',
    country: 'Italia',
    currency: ['€', 'EUR', '€'],
    decimal: ',',
    thousands: ['.'],
    dates: ['d/m/y', 'd/m/y', 'd-m-y', 'd month y'],
    months: list(
      'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre',
    ),
    title: list('Fattura|FATTURA'),
    creditTitle: list('Nota di credito|NOTA DI CREDITO'),
    number: list('Fattura n.|Numero fattura|N. fattura|Fattura nr.|Numero documento'),
    date: list('Data|Data fattura|Data emissione|Data documento'),
    due: list('Scadenza|Data scadenza|Da pagare entro il|Scadenza pagamento'),
    dueSentence: list(
      'Pagamento: bonifico bancario. Scadenza: {date}|Da saldare entro il {date}|Pagamento entro il {date} tramite bonifico.',
    ),
    termsWithoutDate: list('Pagamento a 30 gg data fattura.|Pagamento: rimessa diretta.'),
    customerNumber: list('Codice cliente|Cod. cliente|N. cliente'),
    orderNumber: list('Ordine n.|Vs. ordine|Rif. ordine'),
    deliveryDate: list('Data consegna|Data DDT'),
    billTo: list('Cliente|Spett.le|Fatturare a|Destinatario|Intestatario'),
    from: list('Fornitore|Cedente|Venditore'),
    net: list('Imponibile|Totale imponibile|Totale netto|Subtotale|Importo netto'),
    tax: list('IVA {rate}%|IVA ({rate} %)|Imposta IVA {rate}%|Totale IVA {rate}%'),
    gross: list('Totale fattura|Totale documento|Totale|TOTALE|Importo totale|Totale da pagare'),
    amountDue: list('Netto a pagare|Saldo da pagare|Da pagare|Residuo da pagare'),
    prepaid: list('Acconto|Acconto versato|Già pagato'),
    carry: [
      ['A riportare', 'Riporto'],
      ['Totale a riportare', 'Riporto'],
    ],
    columns: {
      position: list('N.|Pos.|Riga'),
      description: list('Descrizione|Prodotto|Descrizione articolo|Prestazione'),
      quantity: list('Q.tà|Quantità|Qta|Q.ta'),
      unitPrice: list('Prezzo unitario|Prezzo|Prezzo unit.|P. unitario'),
      rate: list('IVA|% IVA|Aliquota|IVA %'),
      amount: list('Importo|Totale|Importo netto|Totale riga'),
    },
    rates: [22, 10, 4],
    sellers: list(
      'Officina Ligure S.r.l.|Panificio Rossi|Studio Bianchi & Associati|Arredamenti Conti S.p.A.|Marco Ferrari',
    ),
    buyers: list(
      'Hotel Miramare S.r.l.|Comune di Vernazza|Giulia Esposito|Cantine del Chianti S.p.A.|Scuola Manzoni',
    ),
    streets: list('Via Roma 15|Corso Garibaldi 42|Piazza del Duomo 3|Viale Europa 120'),
    towns: list('16121 Genova (GE)|00184 Roma RM|20121 Milano|50123 Firenze'),
    goods: list(
      "Olio d'oliva 1 l|Consulenza tecnica|Biglietti da visita|Riparazione serramenti|Carta riciclata A4|Corso sicurezza|Pane integrale|Manutenzione giardino",
    ),
    more: list('come da preventivo 118|colore grigio|periodo marzo 2024|trasporto incluso'),
    taxId: list('P.IVA 01234567890|P. IVA: IT01234567890 C.F. 01234567890'),
    greeting: list('Grazie per la fiducia.|Gentile cliente,'),
  },
];
