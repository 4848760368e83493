import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const DUTCH: LabelDictionary = {
  language: 'nl',
  stopWords: 'de het een van en voor met uw wij ons onze op in te is bij gelieve factuur dit door'.split(' '),
  labels: {
    invoiceNumber: phrases(`
      Factuurnummer, Factuurnr, Factuur nr, Factuur nummer, Factuur no, Factuur #, Creditnotanummer,
      Creditnota nr, Creditnota nummer, Creditfactuurnummer, Bonnummer, Bonnr, Documentnummer, Nota nummer,
      Notanummer, Factuur ID, Kassabon nr, Creditfactuur nr`),
    otherNumber: phrases(`
      Klantnummer, Klantnr, Klant nr, Ordernummer, Ordernr, Order nr, Bestelnummer, Bestelling, Uw referentie,
      Onze referentie, Referentie, Kenmerk, Uw kenmerk, Ons kenmerk, Debiteurnummer, Debiteurennummer,
      Debiteurnr, Contractnummer, Projectnummer, Offertenummer, Pakbonnummer, Relatienummer, Betalingskenmerk,
      Oorspronkelijke factuur, Betreft factuur, Serienummer, Uw ordernummer, Inkoopnummer, Inkooporder, Credit
      op factuur`),
    issueDate: phrases(`
      Factuurdatum, Datum, Datum factuur, Creditdatum, Factuur datum, Datum van factuur, Opgemaakt op,
      Documentdatum, Datum creditnota, Creditnotadatum, Datum van uitgifte`),
    dueDate: phrases(`
      Vervaldatum, Vervaldag, Te betalen voor, Te betalen vóór, Uiterste betaaldatum, Betalen voor, Uiterlijk,
      Vervalt op, Betaaldatum, Te voldoen voor, Uiterlijk te betalen, Betaling voor, Betaaltermijn tot,
      Uiterste betaaldag, uiterlijk op, Gelieve te betalen voor, Graag betalen voor, Betalen uiterlijk`),
    otherDate: phrases(`
      Leverdatum, Orderdatum, Besteldatum, Verzenddatum, Periode, Leveringsdatum, Datum levering,
      Prestatiedatum, Datum bestelling, Factuurperiode, Verkoopdatum`),
    net: phrases(`
      Totaal exclusief BTW, Totaal excl BTW, Totaal exclusief, Exclusief BTW, Excl BTW, Subtotaal excl BTW,
      Subtotaal exclusief BTW, Nettobedrag, Netto, Totaal netto, Bedrag excl BTW, Bedrag exclusief BTW, Totaal
      bedrag excl BTW, Maatstaf van heffing, Netto totaal, Totaalbedrag excl BTW, Totaal excl, Totaalbedrag
      exclusief BTW, Grondslag`),
    tax: phrases(`
      BTW, Totaal BTW, BTW bedrag, B T W, BTW totaal, Bedrag BTW, Totaal BTW bedrag, BTW hoog, BTW laag,
      Totaalbedrag BTW, Waarvan BTW`),
    gross: phrases(`
      Totaal inclusief BTW, Totaal incl BTW, Totaalbedrag, Factuurbedrag, Totaal inclusief, Totaal factuur,
      Inclusief BTW, Incl BTW, Bedrag incl BTW, Brutobedrag, Factuurtotaal, Totaal bruto, Totaalbedrag incl
      BTW, Totaalbedrag inclusief BTW, Eindtotaal, Totaal incl, Creditbedrag, Totaal creditnota, Totaal bedrag
      incl BTW, Totaal te crediteren, Bedrag inclusief BTW`),
    due: phrases(`
      Te betalen, Te betalen bedrag, Totaal te betalen, Openstaand bedrag, Te voldoen, Nog te betalen,
      Openstaand, Saldo, Restant, Resterend bedrag, Verschuldigd bedrag, Restbedrag, Totaal te voldoen, Nog te
      voldoen, Openstaand saldo, Te ontvangen`),
    prepaid: phrases(`
      Reeds betaald, Aanbetaling, Vooruitbetaling, Voldaan, Betaald, Voorschot, Al betaald, Vooruitbetaald,
      Ontvangen betaling, Ontvangen betalingen`),
    subtotal: phrases(`
      Subtotaal, Sub totaal, Tussentotaal, Totaal artikelen, Totaal producten, Goederenbedrag`),
    total: phrases('Totaal, Bedrag, Som, Totaal EUR, Totaal bedrag'),
    discount: phrases('Korting, Rabat, Betalingskorting, Kredietbeperking'),
    charge: phrases(`
      Verzendkosten, Bezorgkosten, Toeslag, Administratiekosten, Vrachtkosten, Transportkosten, Fooi`),
    carryOver: phrases(`
      Transport, Over te brengen, Transporteren, Transport volgende pagina, Overdracht, Saldo vorige pagina`),
    rounding: phrases('Afronding'),
    payment: phrases(`
      Contant, Pin, Wisselgeld, Betaalwijze, Betaalmethode, iDEAL, Rembours, Bancontact, Betaald met, Terug,
      Pinbetaling`),
    seller: phrases('Verkoper, Leverancier, Afzender, Van, Opdrachtnemer, Factuur van'),
    buyer: phrases(`
      Factuur aan, Klant, Factuuradres, Koper, Aan, Klantgegevens, Afnemer, Opdrachtgever, Gefactureerd aan,
      Ontvanger, Debiteur, T a v, Facturatieadres, Credit aan`),
    shipTo: phrases(`
      Afleveradres, Bezorgadres, Leveringsadres, Verzendadres, Leveren aan, Aflevering, Leveradres`),
    otherHeading: phrases(`
      Opmerkingen, Betalingsvoorwaarden, Omschrijving, Betaalgegevens, Contact, BTW specificatie, Pagina,
      Betreft, Adres, Bankgegevens, Opmerking, Betalingsgegevens, Contactpersoon, Bedankt`),
    name: phrases('Naam, Bedrijfsnaam, Bedrijf'),
    title: phrases(`
      Factuur, Creditnota, Creditfactuur, Kassabon, Bon, Kwitantie, Nota, Proforma factuur, Verkoopfactuur`),
    currency: phrases('Valuta, Munt, Munteenheid, Bedragen in'),
    terms: phrases('Betalingsvoorwaarden, Betalingstermijn, Betaaltermijn, Betalingsconditie'),
    contact: phrases('Telefoon, Tel, E mail, Email, Website, Fax, Mobiel'),
    taxId: phrases(`
      KvK, BTW nummer, BTW nr, BTW ID, BTW, KvK nummer, KvK nr, BTW identificatienummer, Ondernemingsnummer,
      Btw nr klant, RPR, Handelsregister`),
    bank: phrases(`
      IBAN, BIC, Bank, Rekeningnummer, Rekening, Ten name van, t n v, Bankrekening`),
  },
  columns: {
    position: phrases('Nr, Pos, Regel, #'),
    sku: phrases('Artikelnummer, Artikelnr, Code, Art nr, Artikelcode, Productcode'),
    description: phrases(`
      Omschrijving, Artikel, Product, Beschrijving, Dienst, Productomschrijving, Artikelomschrijving,
      Werkzaamheden, Diensten, Producten`),
    quantity: phrases('Aantal, Hoeveelheid, Uren, Stuks, Aant, Aantal uren, Dagen'),
    unit: phrases('Eenheid, Eh'),
    unitPrice: phrases(`
      Prijs per stuk, Stukprijs, Prijs, Tarief, Eenheidsprijs, Prijs per eenheid, Prijs excl BTW, Uurtarief,
      Per stuk, Prijs EUR, Verkoopprijs, Nettoprijs, Prijs stuk`),
    discount: phrases('Korting, Korting %, Kort'),
    taxRate: phrases('BTW, BTW %, % BTW, BTW tarief, BTW code, Btw percentage'),
    taxAmount: phrases('BTW bedrag'),
    date: phrases('Datum, Periode'),
    amount: phrases(`
      Bedrag, Totaal, Prijs incl BTW, Totaalprijs, Regeltotaal, Bedrag excl BTW, Totaal excl BTW, Netto,
      Totaal EUR, Bedrag EUR, Subtotaal, Nettobedrag, Totaalbedrag, Bedrag incl BTW, Totaal incl BTW, Totaal
      bedrag`),
  },
};
